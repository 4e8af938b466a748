import { useMemo } from 'react'
import { SignatureFrame } from '#ui/signature-frame.tsx'
import { cleanOriginal } from './clean-original.ts'

interface OriginalFrameProps {
  readonly html: string
  readonly title: string
}

/** A signature as it was pasted. */
export function OriginalFrame({ html, title }: OriginalFrameProps) {
  const shown = useMemo(() => cleanOriginal(html), [html])
  return <SignatureFrame html={shown} title={title} width={520} />
}
