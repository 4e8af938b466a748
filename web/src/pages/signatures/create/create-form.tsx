// Name and folder of a new signature; then the editor opens.
import type { Signature, SignatureInput } from '@signoff/sdk'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { api } from '#api/client.ts'
import { refreshSignatures, signaturePath } from '#records/signatures/signature-data.ts'
import { Button } from '#ui/base/button.tsx'
import { TextField } from '#ui/form/field.tsx'
import { Form } from '#ui/form/form.tsx'
import { Actions } from '#ui/overlay/dialog.tsx'
import { FolderSelect } from '../folder-select.tsx'

interface CreateFormProps {
  /** The start of the draft. */
  readonly start: () => Promise<Pick<SignatureInput, 'template_id' | 'draft_content'>>
  readonly folderId: string | null
  readonly suggestedName: string
  readonly onBack: () => void
  readonly backLabel: string
  /** On wide screens the choice stands beside the form. */
  readonly isBackForPhones?: boolean
  /** Before the editor opens. */
  readonly onCreated?: (signatureId: string) => Promise<void>
}

export function CreateForm(props: CreateFormProps) {
  const { start, folderId, suggestedName, onBack, backLabel, isBackForPhones = false, onCreated } = props
  const t = useTranslations('signatures')
  const navigate = useNavigate()
  const [folder, setFolder] = useState(folderId)
  const create = async (form: FormData) => {
    const made = await api.signatures.create({
      ...(await start()),
      name: String(form.get('name')).trim(),
      ...(folder !== null && { folder_id: folder }),
    })
    await onCreated?.(made.id)
    return made
  }
  const open = ({ id }: Signature) => {
    void refreshSignatures()
    void navigate({ to: `${signaturePath(id)}/edit` })
  }
  return (
    <Form onSubmit={create} onDone={open}>
      {({ isPending }) => (
        <>
          <div className="grid gap-4 sm:grid-cols-2">
            <TextField
              key={suggestedName}
              label={t('name')}
              name="name"
              defaultValue={suggestedName}
              isRequired
              maxLength={200}
            />
            <FolderSelect value={folder} onChange={setFolder} />
          </div>
          <Actions>
            <span className={isBackForPhones ? 'lg:hidden' : 'contents'}>
              <Button onPress={onBack}>{backLabel}</Button>
            </span>
            <Button variant="primary" type="submit" icon="pen-line" isPending={isPending}>
              {t('createAndEdit')}
            </Button>
          </Actions>
        </>
      )}
    </Form>
  )
}
