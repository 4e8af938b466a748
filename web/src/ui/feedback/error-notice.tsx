import { useMessageOf } from '#state/error-messages.ts'
import { Notice } from '../layout/page.tsx'

interface ErrorNoticeProps {
  readonly error: unknown
  readonly className?: string
}

/** Why a request failed, as a sentence. */
export function ErrorNotice({ error, className }: ErrorNoticeProps) {
  const messageOf = useMessageOf()
  if (!error) return null
  return (
    <div role="alert" className={className}>
      <Notice kind="bad">{messageOf(error)}</Notice>
    </div>
  )
}
