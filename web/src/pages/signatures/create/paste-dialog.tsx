import type { ContentImport } from '@signoff/sdk'
import { useMutation } from '@tanstack/react-query'
import { type ClipboardEvent, useEffect, useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { api } from '../../../api/client.ts'
import { useMessageOf } from '../../../api/error-texts.ts'
import { Button } from '../../../ui/button.tsx'
import { Actions, Dialog } from '../../../ui/dialog.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Notice } from '../../../ui/page.tsx'
import { SignatureFrame } from '../../../ui/signature-frame.tsx'
import type { PickedAddress } from '../example-person.ts'
import { PersonPicker } from '../person-picker.tsx'
import { CreateForm } from './create-form.tsx'
import { ImportedResult } from './imported-result.tsx'

interface PasteDialogProps {
  readonly folderId: string | null
  readonly onClose: () => void
}

/** What the clipboard holds: rich text as HTML, or HTML that was copied as text. */
function htmlOf(clipboard: DataTransfer): string {
  const rich = clipboard.getData('text/html')
  const plain = clipboard.getData('text/plain')
  if (/^\s*<[a-z!]/i.test(plain) && /<\/(table|div|p|span|a|td)>/i.test(plain)) return plain
  return rich || plain
}

export default function PasteDialog({ folderId, onClose }: PasteDialogProps) {
  const t = useTranslations('signatures')
  const messageOf = useMessageOf()
  const [html, setHtml] = useState('')
  const [person, setPerson] = useState<PickedAddress>()
  const read = useMutation({
    mutationFn: (): Promise<ContentImport> =>
      api.content.import({ html, ...(person && { email_id: person.emailId }) }),
  })
  const restart = () => {
    read.reset()
    setHtml('')
  }
  return (
    <Dialog title={t('fromPaste')} isOpen onClose={onClose} size="large" isModalOnly>
      {read.data ? (
        <>
          <ImportedResult original={html} result={read.data} person={person} />
          <CreateForm
            start={async () => ({ draft_content: read.data.content })}
            folderId={folderId}
            suggestedName={t('pastedName')}
            onBack={restart}
            backLabel={t('pasteAgain')}
          />
        </>
      ) : (
        <>
          <p className="mb-4 text-muted">{t('pasteText')}</p>
          {html === '' ? <PasteArea onPaste={setHtml} /> : <Pasted html={html} onClear={() => setHtml('')} />}
          <div className="mt-4 max-w-md">
            <PersonPicker label={t('whoseSignature')} value={person} onChange={setPerson} />
            <p className="mt-1 text-[0.8125rem] text-muted">{t('whoseSignatureHint')}</p>
          </div>
          {read.error && (
            <div role="alert" className="mt-4">
              <Notice kind="bad">{messageOf(read.error)}</Notice>
            </div>
          )}
          <Actions>
            <Button
              look="primary"
              isDisabled={html === ''}
              isPending={read.isPending}
              onPress={() => read.mutate()}
            >
              {t('readPasted')}
            </Button>
          </Actions>
        </>
      )}
    </Dialog>
  )
}

function PasteArea({ onPaste }: { readonly onPaste: (html: string) => void }) {
  const t = useTranslations('signatures')
  const [isEmpty, setIsEmpty] = useState(false)
  const area = useRef<HTMLTextAreaElement>(null)
  // Pasting is the one thing to do here.
  useEffect(() => area.current?.focus(), [])
  const take = (event: ClipboardEvent) => {
    event.preventDefault()
    const html = htmlOf(event.clipboardData).trim()
    setIsEmpty(html === '')
    if (html) onPaste(html)
  }
  return (
    <div className="relative">
      <textarea
        aria-label={t('pasteHere')}
        ref={area}
        onPaste={take}
        value=""
        onChange={() => undefined}
        className="peer block h-44 w-full resize-none rounded-xl border-2 border-dashed border-edge/60 bg-sunken/50 caret-transparent outline-none focus:border-accent"
      />
      <div className="pointer-events-none absolute inset-0 grid place-content-center justify-items-center gap-2 p-4 text-center text-muted">
        <Icon name="clipboard-check" size={24} />
        <p className="font-medium text-ink">{t('pasteHere')}</p>
        <p className="text-[0.8125rem]">{t('pasteKeys')}</p>
      </div>
      <p role="status" className="mt-2 text-[0.8125rem] text-bad">
        {isEmpty && t('pastedNothing')}
      </p>
    </div>
  )
}

function Pasted({ html, onClear }: { readonly html: string; readonly onClear: () => void }) {
  const t = useTranslations('signatures')
  return (
    <div>
      <div className="mb-2 flex items-center justify-between gap-2">
        <h3 className="text-[0.8125rem] font-medium">{t('pastedOriginal')}</h3>
        <Button isSmall look="quiet" icon="rotate-ccw" onPress={onClear}>
          {t('pasteAgain')}
        </Button>
      </div>
      <div className="max-h-72 overflow-y-auto rounded-xl border border-line bg-white p-4">
        <SignatureFrame html={html} title={t('pastedOriginal')} />
      </div>
    </div>
  )
}
