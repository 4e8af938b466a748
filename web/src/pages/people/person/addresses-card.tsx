// The addresses of a person. Each has its own signature and its own personal page.
import type { Email, Teammate } from '@signoff/sdk'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { api } from '#api/client.ts'
import { useDrivingDirectory } from '#api/integrations.ts'
import { useCan } from '#api/session.ts'
import { refreshPerson, usePersonAction } from '#records/people/person-data.ts'
import { saveOverSeen } from '#state/use-edit.ts'
import { Button } from '#ui/base/button.tsx'
import { copyText } from '#ui/base/copy-text.ts'
import { toast } from '#ui/feedback/toast.tsx'
import { TextField } from '#ui/form/field.tsx'
import { Form } from '#ui/form/form.tsx'
import { Badge, Card } from '#ui/layout/page.tsx'
import { ConfirmDialog } from '#ui/overlay/dialog.tsx'
import { type MenuEntries, MoreMenu } from '#ui/overlay/menu.tsx'

type Question = 'remove' | 'rotate'

function useAddressEntries(email: Email, ask: (question: Question) => void): MenuEntries {
  const t = useTranslations('people.addresses')
  const can = useCan()
  const isManaged = useDrivingDirectory() !== undefined
  const copy = usePersonAction(
    async () => {
      const { url } = await api.emails.personalPage.get(email.id)
      await copyText(url)
    },
    t('linkCopied'),
    t('failed'),
  )
  const makePrimary = usePersonAction(
    () =>
      saveOverSeen({
        seen: email,
        patch: { primary: true },
        read: () => api.emails.get(email.id),
        save: (patch, options) => api.emails.update(email.id, patch, options),
      }),
    t('isPrimary', { address: email.address }),
    t('failed'),
  )
  return [
    can('signatures:write') && {
      id: 'copy',
      label: t('copyLink'),
      hint: t('copyLinkHint'),
      icon: 'link',
      onAction: () => copy.mutate(),
    },
    can('signatures:write') && {
      id: 'rotate',
      label: t('rotate'),
      icon: 'refresh-cw',
      onAction: () => ask('rotate'),
    },
    can('emails:write') &&
      !isManaged &&
      !email.primary && {
        id: 'primary',
        label: t('makePrimary'),
        icon: 'star',
        beginsGroup: true,
        onAction: () => makePrimary.mutate(),
      },
    can('emails:delete') &&
      !isManaged &&
      !email.primary && {
        id: 'remove',
        label: t('remove'),
        icon: 'circle-x',
        isDangerous: true,
        onAction: () => ask('remove'),
      },
  ]
}

function AddressRow({ email }: { readonly email: Email }) {
  const t = useTranslations('people.addresses')
  const [question, setQuestion] = useState<Question | null>(null)
  const entries = useAddressEntries(email, setQuestion)
  const remove = usePersonAction(() => api.emails.delete(email.id), t('removed'), t('failed'))
  const rotate = usePersonAction(() => api.emails.personalPage.rotate(email.id), t('rotated'), t('failed'))
  const confirm = () => {
    const action = question === 'remove' ? remove : rotate
    action.mutate(undefined, { onSettled: () => setQuestion(null) })
  }
  return (
    <li className="flex min-h-9 items-center gap-2">
      <span className="min-w-0 flex-1">
        {email.address} {email.primary && <Badge variant="accent">{t('primary')}</Badge>}
      </span>
      <MoreMenu label={t('actions', { address: email.address })} entries={entries} />
      {question !== null && (
        <ConfirmDialog
          title={t(`${question}Title`)}
          onClose={() => setQuestion(null)}
          action={t(question)}
          isDangerous={question === 'remove'}
          isPending={remove.isPending || rotate.isPending}
          onConfirm={confirm}
        >
          {t(`${question}Text`, { address: email.address })}
        </ConfirmDialog>
      )}
    </li>
  )
}

export function AddressesCard({ person }: { readonly person: Teammate }) {
  const t = useTranslations('people.addresses')
  const shell = useTranslations('shell')
  const can = useCan()
  const directory = useDrivingDirectory()
  const [isAdding, setAdding] = useState(false)
  const emails = [...person.emails].sort((a, b) => Number(b.primary) - Number(a.primary))
  return (
    <Card
      title={t('title')}
      about={directory && t('fromDirectory', { name: directory.name })}
      actions={
        can('emails:write') &&
        !directory &&
        !isAdding && (
          <Button isSmall icon="plus" onPress={() => setAdding(true)}>
            {t('add')}
          </Button>
        )
      }
    >
      <ul className="grid gap-1">
        {emails.map(email => (
          <AddressRow key={email.id} email={email} />
        ))}
      </ul>
      {isAdding && (
        <Form
          className="mt-3 grid gap-3"
          onSubmit={form =>
            api.emails.create({ teammate_id: person.id, address: String(form.get('address')).trim() })
          }
          onDone={({ address }) => {
            toast(t('added', { address }))
            setAdding(false)
            void refreshPerson()
          }}
        >
          {({ isPending }) => (
            <>
              <TextField
                name="address"
                type="email"
                label={t('new')}
                hint={t('newHint')}
                isRequired
                autoFocus
              />
              <div className="flex gap-2">
                <Button isSmall type="submit" variant="primary" isPending={isPending}>
                  {t('add')}
                </Button>
                <Button isSmall onPress={() => setAdding(false)}>
                  {shell('cancel')}
                </Button>
              </div>
            </>
          )}
        </Form>
      )}
    </Card>
  )
}
