import type { RecipientSelection } from '@signoff/sdk'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { api } from '#api/client.ts'
import { useCan } from '#api/session.ts'
import type { PickedAddress } from '#records/signatures/example-person.ts'
import { useSignatureAction } from '#records/signatures/signature-data.ts'
import { Button } from '#ui/base/button.tsx'
import { ErrorNotice } from '#ui/feedback/error-notice.tsx'
import { TextField } from '#ui/form/field.tsx'
import { Card, Notice } from '#ui/layout/page.tsx'
import { Actions, Dialog } from '#ui/overlay/dialog.tsx'
import { PersonPicker } from '../person-picker.tsx'

/** Each address is one request, some at a time. */
const maxAddresses = 500
const atOnce = 4

/** Addresses in any list: one per line, `Name <a@b.c>`, with commas or semicolons. */
const addressesIn = (text: string): string[] => [
  ...new Set((text.match(/[^\s<>,;"'()]+@[^\s<>,;"'()]+/g) ?? []).map(address => address.toLowerCase())),
]

interface Match {
  readonly emailIds: readonly string[]
  readonly unknown: readonly string[]
}

async function match(addresses: readonly string[], onProgress: (done: number) => void): Promise<Match> {
  const emailIds: string[] = []
  const unknown: string[] = []
  const queue = [...addresses]
  const work = async () => {
    for (let address = queue.shift(); address !== undefined; address = queue.shift()) {
      const emails = await api.emails.list({ search: address, limit: 20 })
      const email = emails.find(candidate => candidate.address.toLowerCase() === address)
      if (email) emailIds.push(email.id)
      else unknown.push(address)
      onProgress(emailIds.length + unknown.length)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return { emailIds, unknown }
}

interface PasteAddressesProps {
  readonly signatureId: string
  readonly onClose: () => void
}

function PasteAddresses({ signatureId, onClose }: PasteAddressesProps) {
  const t = useTranslations('signatures')
  const shell = useTranslations('shell')
  const [text, setText] = useState('')
  const [progress, setProgress] = useState(0)
  const addresses = addressesIn(text)
  const find = useMutation({ mutationFn: () => match(addresses.slice(0, maxAddresses), setProgress) })
  const add = useSignatureAction<readonly string[]>({
    run: ids => api.signatures.recipients.add(signatureId, { email_ids: [...ids] }),
    done: (_, ids) => t('addedMany', { count: ids.length }),
    after: onClose,
  })
  const { data } = find
  return (
    <Dialog title={t('pasteList')} onClose={onClose} isModalOnly>
      {data ? (
        <MatchReport match={data} />
      ) : (
        <TextField
          label={t('pasteListLabel')}
          hint={
            addresses.length > maxAddresses
              ? t('pasteListTooMany', { max: maxAddresses })
              : t('pasteListHint', { count: addresses.length })
          }
          rows={8}
          value={text}
          onChange={setText}
          autoFocus
        />
      )}
      {find.isPending && (
        <p role="status" className="mt-3 text-muted">
          {t('matching', { done: progress, total: Math.min(addresses.length, maxAddresses) })}
        </p>
      )}
      <ErrorNotice error={find.error} className="mt-3" />
      <Actions>
        <Button onPress={data ? find.reset : onClose}>{data ? t('back') : shell('cancel')}</Button>
        {data ? (
          <Button
            variant="primary"
            isDisabled={data.emailIds.length === 0}
            isPending={add.isPending}
            onPress={() => add.mutate(data.emailIds)}
          >
            {t('addMatched', { count: data.emailIds.length })}
          </Button>
        ) : (
          <Button
            variant="primary"
            isDisabled={addresses.length === 0}
            isPending={find.isPending}
            onPress={() => find.mutate()}
          >
            {t('matchList')}
          </Button>
        )}
      </Actions>
    </Dialog>
  )
}

function MatchReport({ match: { emailIds, unknown } }: { readonly match: Match }) {
  const t = useTranslations('signatures')
  return (
    <div className="grid gap-3" role="status">
      <Notice kind={emailIds.length > 0 ? 'good' : 'warn'}>
        {t('matchedCount', { count: emailIds.length })}
      </Notice>
      {unknown.length > 0 && (
        <Notice kind="warn">
          <p className="font-medium">{t('unknownCount', { count: unknown.length })}</p>
          <ul className="mt-1 max-h-40 overflow-y-auto">
            {unknown.map(address => (
              <li key={address}>{address}</li>
            ))}
          </ul>
        </Notice>
      )}
    </div>
  )
}

interface ByHandCardProps {
  readonly signatureId: string
  readonly selection: RecipientSelection
}

export function ByHandCard({ signatureId, selection }: ByHandCardProps) {
  const t = useTranslations('signatures')
  const can = useCan()
  const [isPasting, setIsPasting] = useState(false)
  const add = useSignatureAction<PickedAddress>({
    run: ({ emailId }) => api.signatures.recipients.add(signatureId, { email_ids: [emailId] }),
    done: (_, { name }) => t('added', { name }),
  })
  return (
    <Card title={t('byHandTitle')} about={t('byHandCount', { count: selection.email_ids_count })}>
      {can('signatures:write') ? (
        <div className="grid gap-3">
          <PersonPicker
            label={t('addPerson')}
            value={undefined}
            isRepeated
            onChange={picked => picked && add.mutate(picked)}
          />
          <div>
            <Button icon="clipboard-check" onPress={() => setIsPasting(true)}>
              {t('pasteList')}
            </Button>
          </div>
        </div>
      ) : null}
      {isPasting && <PasteAddresses signatureId={signatureId} onClose={() => setIsPasting(false)} />}
    </Card>
  )
}
