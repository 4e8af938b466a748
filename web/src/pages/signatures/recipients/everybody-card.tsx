import type { RecipientRules, RecipientSelection, Signature } from '@signoff/sdk'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { api } from '#api/client.ts'
import { useCan } from '#api/session.tsx'
import { useSignatureAction } from '#records/signatures/signature-data.ts'
import { Switch } from '#ui/form/choice.tsx'
import { Card } from '#ui/layout/page.tsx'
import { ConfirmDialog } from '#ui/overlay/dialog.tsx'

interface EverybodyCardProps {
  readonly signature: Signature
  readonly selection: RecipientSelection
}

export function EverybodyCard({ signature, selection }: EverybodyCardProps) {
  const t = useTranslations('signatures')
  const isReadOnly = !useCan()('signatures:write')
  const [asks, setAsks] = useState(false)
  const { mutate, isPending } = useSignatureAction<RecipientRules>({
    run: rules => api.signatures.recipientRules.set(signature.id, rules),
    done: () => t('recipientsSaved'),
    after: () => setAsks(false),
  })
  // A live signature is installed for all of them at once, so the page asks first.
  const switchEverybody = (everybody: boolean) =>
    everybody && signature.signature_installation_activated ? setAsks(true) : mutate({ everybody })
  return (
    <Card title={t('everybodyTitle')}>
      <div className="grid gap-4">
        <Switch
          label={t('everybody')}
          hint={t('everybodyHint')}
          isSelected={selection.everybody}
          onChange={switchEverybody}
          isDisabled={isReadOnly || isPending}
        />
        <Switch
          label={t('future')}
          hint={t('futureHint')}
          isSelected={selection.assign_to_all_future_emails}
          onChange={isOn => mutate({ assign_to_all_future_emails: isOn })}
          isDisabled={isReadOnly || isPending || selection.everybody}
        />
      </div>
      <ConfirmDialog
        title={t('everybodyAsk')}
        action={t('everybodyDo')}
        isDangerous={false}
        isOpen={asks}
        onClose={() => setAsks(false)}
        onConfirm={() => mutate({ everybody: true })}
        isPending={isPending}
      >
        {t('everybodyAskText')}
      </ConfirmDialog>
    </Card>
  )
}
