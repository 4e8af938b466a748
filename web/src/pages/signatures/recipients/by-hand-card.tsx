import type { RecipientSelection } from '@signoff/sdk'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { api } from '#api/client.ts'
import { useCan } from '#api/session.tsx'
import type { PickedAddress } from '#records/signatures/example-person.ts'
import { useSignatureAction } from '#records/signatures/signature-data.ts'
import { Button } from '#ui/button.tsx'
import { Card } from '#ui/page.tsx'
import { PersonPicker } from '../person-picker.tsx'
import { PasteAddresses } from './paste-addresses.tsx'

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
