// A new key or password for an integration. The stored one is never shown.
import type { Integration } from '@signoff/sdk'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { api } from '#api/client.ts'
import { Dialog } from '#ui/dialog.tsx'
import { Form, SubmitActions } from '#ui/form.tsx'
import { toast } from '#ui/toast.tsx'
import {
  areFilesRight,
  controlOfField,
  fieldsOf,
  KindFields,
  type KindValues,
  partOf,
} from '../connect/kind-fields.tsx'
import { refreshDirectories } from '../data.ts'
import type { Kind, SecretWay } from '../kinds.ts'

interface SecretChangeProps {
  readonly integration: Integration
  readonly kind: Kind
  readonly onClose: () => void
}

export function SecretChange({ integration, kind, onClose }: SecretChangeProps) {
  const t = useTranslations('integrations.secret')
  const form = useTranslations('integrations.form')
  const [values, setValues] = useState<KindValues>({})
  const [way, setWay] = useState<SecretWay['id'] | undefined>(kind.secretWays?.[0]?.id)
  const fields = fieldsOf(kind, way, kind.capabilities).filter(({ part }) => part === 'secret')
  return (
    <Dialog title={t('title')} isOpen onClose={onClose} isModalOnly>
      <Form
        controlOf={controlOfField}
        onSubmit={async () => {
          if (!areFilesRight(fields, values)) throw new Error(form('wrongFile'))
          return api.integrations.update(integration.id, { secret: partOf(fields, 'secret', values) })
        }}
        onDone={() => {
          toast(t('saved'))
          void refreshDirectories()
          onClose()
        }}
      >
        {({ isPending }) => (
          <>
            <p className="text-muted">{t('about')}</p>
            <KindFields {...{ kind, fields, values, way }} onChange={setValues} onWay={setWay} />
            <SubmitActions action={t('save')} onCancel={onClose} isPending={isPending} />
          </>
        )}
      </Form>
    </Dialog>
  )
}
