// The first people who are reached, by name, and which of them keep another signature.
import type { Signature } from '@signoff/sdk'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { api } from '#api/client.ts'
import { useNameOf } from '#api/teammates.ts'
import { TextLink } from '#ui/base/text-link.tsx'
import { signaturePath } from '../signatures/signature-data.ts'

const shownCount = 5

interface FirstRecipientsProps {
  readonly signature: Signature
  readonly total: number
  /** True if some of the recipients keep another signature. */
  readonly hasKept: boolean
}

const firstRecipientsQuery = (signature: Signature, hasKept: boolean) => ({
  queryKey: ['signatures', 'recipients', signature.id, 'first', hasKept] as const,
  queryFn: async () => {
    const recipients = await api.signatures.recipients.list(signature.id, { limit: shownCount })
    return Promise.all(
      recipients.map(async ({ id, address, teammate_id }) => {
        const [person, explained] = await Promise.all([
          api.teammates.get(teammate_id),
          hasKept ? api.emails.explainSignature(id) : undefined,
        ])
        const winner = explained?.candidates.find(({ chosen }) => chosen)
        const isKept = winner && winner.signature_id !== signature.id && winner.priority <= signature.priority
        return { id, address, person, keeps: isKept ? winner.name : undefined }
      }),
    )
  },
})

export function FirstRecipients({ signature, total, hasKept }: FirstRecipientsProps) {
  const t = useTranslations('signatures')
  const nameOf = useNameOf()
  const { data = [] } = useQuery(firstRecipientsQuery(signature, hasKept))
  if (data.length === 0) return null
  return (
    <ul
      aria-label={t('publishPeople')}
      className="mt-3 grid gap-1 border-t border-line pt-3 text-[0.8125rem]"
    >
      {data.map(({ id, address, person, keeps }) => (
        <li key={id} className="flex flex-wrap gap-x-2">
          <span className="font-medium">{nameOf(person)}</span>
          <span className="min-w-0 truncate text-muted">{address}</span>
          {keeps !== undefined && <span className="text-warn">{t('getsOther', { name: keeps })}</span>}
        </li>
      ))}
      {total > data.length && (
        <li>
          <TextLink to={signaturePath(signature.id, 'recipients')}>
            {t('publishMore', { count: total - data.length })}
          </TextLink>
        </li>
      )}
    </ul>
  )
}
