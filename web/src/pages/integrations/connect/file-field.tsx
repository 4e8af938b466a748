// A text file such as a key: chosen, or pasted. A chosen file shows its name only, because others may see the screen.
import { type ReactNode, useState } from 'react'
import { FileTrigger } from 'react-aria-components/FileTrigger'
import { useTranslations } from 'use-intl'
import { Button } from '#ui/base/button.tsx'
import { TextField } from '#ui/form/field.tsx'
import type { KindField } from '../kinds.ts'

interface FileFieldProps {
  readonly label: string
  readonly hint: ReactNode
  readonly name: string
  readonly value: string
  readonly onChange: (text: string) => void
  readonly file: NonNullable<KindField['file']>
}

/** Larger files are no keys. */
const maxBytes = 200_000

export function FileField({ label, hint, name, value, onChange, file }: FileFieldProps) {
  const t = useTranslations('integrations.form')
  const [fileName, setFileName] = useState('')
  const [isTooLarge, setTooLarge] = useState(false)
  const choose = async (files: FileList | null) => {
    const chosen = files?.item(0)
    if (!chosen) return
    setTooLarge(chosen.size > maxBytes)
    if (chosen.size > maxBytes) return
    onChange(await chosen.text())
    setFileName(chosen.name)
  }
  const clear = () => {
    setFileName('')
    onChange('')
  }
  const isWrong = value.trim() !== '' && !file.has.test(value)
  const problem = isTooLarge ? t('tooLarge') : isWrong ? t('wrongFile') : undefined
  const notes = { ...(hint !== undefined && { hint }), ...(problem !== undefined && { problem }) }
  return (
    <div className="grid gap-2">
      {fileName === '' ? (
        <TextField
          {...{ label, name, value, onChange, ...notes }}
          rows={3}
          placeholder={t('pasteHere')}
          isRequired
        />
      ) : (
        <TextField {...{ label, name, ...notes }} value={fileName} isReadOnly />
      )}
      <div className="flex flex-wrap gap-2">
        <FileTrigger acceptedFileTypes={file.types} onSelect={files => void choose(files)}>
          <Button isSmall icon="upload">
            {fileName === '' ? t('chooseFile') : t('otherFile')}
            <span className="sr-only">: {label}</span>
          </Button>
        </FileTrigger>
        {fileName !== '' && (
          <Button isSmall variant="quiet" onPress={clear}>
            {t('removeFile')}
          </Button>
        )}
      </div>
    </div>
  )
}
