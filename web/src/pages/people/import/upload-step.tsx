// The file: dropped, chosen, or pasted from a spreadsheet.
import type { Import } from '@signoff/sdk'
import { useMutation } from '@tanstack/react-query'
import { type DragEvent, useState } from 'react'
import { FileTrigger } from 'react-aria-components/FileTrigger'
import { useTranslations } from 'use-intl'
import { api } from '#api/client.ts'
import { useMessageOf } from '#state/error-messages.ts'
import { Button, Spinner } from '#ui/base/button.tsx'
import { classes } from '#ui/base/classes.ts'
import { Icon } from '#ui/base/icon.tsx'
import { TextField } from '#ui/form/field.tsx'
import { Card, Notice } from '#ui/layout/page.tsx'

const maxBytes = 20 * 1024 * 1024
const fileTypes = ['.csv', '.tsv', '.txt', '.xlsx', 'text/csv']

interface DropAreaProps {
  readonly isPending: boolean
  readonly onFile: (file: File) => void
}

function DropArea({ isPending, onFile }: DropAreaProps) {
  const t = useTranslations('people.import')
  const [isOver, setOver] = useState(false)
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    const file = event.dataTransfer.files.item(0)
    if (file) onFile(file)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button inside is the way without a mouse
    <div
      onDragOver={event => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
      className={classes(
        'grid justify-items-center gap-3 rounded-2xl border-2 border-dashed px-6 py-12 text-center transition-colors',
        isOver ? 'border-accent bg-accent-soft' : 'border-edge/50',
      )}
    >
      <span className="grid size-12 place-items-center rounded-2xl bg-accent-soft text-accent">
        {isPending ? <Spinner /> : <Icon name="upload" size={24} />}
      </span>
      <p className="font-medium">{isPending ? t('reading') : t('drop')}</p>
      <p className="max-w-md text-[0.8125rem] text-muted">{t('dropHint')}</p>
      <FileTrigger
        acceptedFileTypes={fileTypes}
        onSelect={files => {
          const file = files?.item(0)
          if (file) onFile(file)
        }}
      >
        <Button variant="primary" isDisabled={isPending}>
          {t('choose')}
        </Button>
      </FileTrigger>
    </div>
  )
}

export function ImportUploadStep({ onUploaded }: { readonly onUploaded: (file: Import) => void }) {
  const t = useTranslations('people.import')
  const messageOf = useMessageOf()
  const [pasted, setPasted] = useState('')
  const { mutate, isPending, error } = useMutation({
    mutationFn: ({ content, name }: { readonly content: Blob; readonly name: string }) => {
      if (content.size > maxBytes) throw new Error(t('tooLarge'))
      const params = { file_base64: content, file_name: name.slice(0, 255) }
      return api.imports.create(params, { timeoutMs: 180_000 })
    },
    onSuccess: onUploaded,
  })
  return (
    <div className="grid gap-4">
      {error && (
        <div role="alert">
          <Notice kind="bad">{messageOf(error)}</Notice>
        </div>
      )}
      <DropArea isPending={isPending} onFile={file => mutate({ content: file, name: file.name })} />
      <Card title={t('paste')} about={t('pasteHint')}>
        <TextField
          label={t('table')}
          isLabelHidden
          rows={5}
          value={pasted}
          onChange={setPasted}
          placeholder={t('pasteExample')}
        />
        <div className="mt-3 flex justify-end">
          <Button
            isDisabled={pasted.trim() === ''}
            isPending={isPending}
            onPress={() => mutate({ content: new Blob([pasted]), name: t('pastedName') })}
          >
            {t('usePasted')}
          </Button>
        </div>
      </Card>
    </div>
  )
}
