// Who gets a signature when it is published, and who keeps another one that comes first.
import type { Signature, SignatureCheck } from '@signoff/sdk'
import { useTranslations } from 'use-intl'
import { Button } from '#ui/base/button.tsx'
import { Notice } from '#ui/layout/page.tsx'

/** The addresses that keep another signature. */
export const keptCount = ({ kept: others = [] }: SignatureCheck): number =>
  others.reduce((sum, { recipients }) => sum + recipients, 0)

interface KeptNoticeProps {
  readonly signature: Signature
  readonly check: SignatureCheck
  readonly isPutFirst: boolean
  /** Undefined: the order is not changed here. */
  readonly onPutFirst: ((isPutFirst: boolean) => void) | undefined
}

export function KeptNotice({ signature, check, isPutFirst, onPutFirst }: KeptNoticeProps) {
  const t = useTranslations('signatures')
  const { kept: others = [], recipients } = check
  if (others.length === 0) return null
  if (isPutFirst)
    return (
      <Notice>
        <p>{t('willBeFirst', { name: signature.name, count: recipients })}</p>
        <div className="mt-2">
          <Button isSmall onPress={() => onPutFirst?.(false)}>
            {t('keepOrder')}
          </Button>
        </div>
      </Notice>
    )
  return (
    <Notice kind="warn">
      <ul>
        {others.map(({ signature_id, name, recipients: count }) => (
          <li key={signature_id}>{t('keepsOther', { count, total: recipients, name })}</li>
        ))}
      </ul>
      {onPutFirst && (
        <div className="mt-2">
          <Button isSmall icon="arrow-up" onPress={() => onPutFirst(true)}>
            {t('putThisFirst')}
          </Button>
        </div>
      )}
    </Notice>
  )
}
