import { SignatureFrame } from '../../../ui/signature-frame.tsx'

/** Pictures inside a mail or on the disk of another computer: browsers cannot load them, and report each one. */
const unreachableSource = /\bsrc\s*=\s*(["']?)\s*(?=(?:cid|file|blob|content|mhtml):)/gi

interface OriginalFrameProps {
  readonly html: string
  readonly title: string
}

/** A signature as it was pasted. */
export const OriginalFrame = ({ html, title }: OriginalFrameProps) => (
  <SignatureFrame html={html.replaceAll(unreachableSource, 'data-src=$1')} title={title} width={520} />
)
