import type { Signature } from '@signoff/sdk'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { api } from '#api/client.ts'
import { useMe } from '#api/session.tsx'
import type { PickedAddress } from '#records/signatures/example-person.ts'
import { Dialog } from '#ui/dialog.tsx'
import { TextField } from '#ui/field.tsx'
import { Form, SubmitActions } from '#ui/form.tsx'
import { toast } from '#ui/toast.tsx'
import { PersonPicker } from '../person-picker.tsx'

interface TestMailDialogProps {
  readonly signature: Signature
  readonly onClose: () => void
}

export function TestMailDialog({ signature, onClose }: TestMailDialogProps) {
  const t = useTranslations('signatures')
  const me = useMe()
  const [person, setPerson] = useState<PickedAddress>()
  const send = (form: FormData) => {
    const to = String(form.get('to'))
      .split(/[\s,;]+/)
      .filter(Boolean)
    return api.signatures.sendTestEmail(signature.id, {
      to,
      ...(person && { email_id: person.emailId }),
    })
  }
  return (
    <Dialog title={t('sendTest')} isOpen onClose={onClose} size="small">
      <Form
        onSubmit={send}
        onDone={({ sent_to }) => {
          toast(t('testSent', { to: sent_to }))
          onClose()
        }}
      >
        {({ isPending }) => (
          <>
            <TextField
              label={t('testTo')}
              name="to"
              defaultValue={me.account.email}
              hint={t('testToHint')}
              isRequired
            />
            <PersonPicker label={t('testAs')} value={person} onChange={setPerson} />
            <SubmitActions action={t('send')} onCancel={onClose} icon="send" isPending={isPending} />
          </>
        )}
      </Form>
    </Dialog>
  )
}
