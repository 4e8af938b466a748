// Where a pasted signature comes from: the clipboard, a file that is dropped or chosen, or HTML code.
import { type ClipboardEvent, type DragEvent, useEffect, useRef, useState } from 'react'
import { FileTrigger } from 'react-aria-components/FileTrigger'
import { useTranslations } from 'use-intl'
import { Button } from '#ui/base/button.tsx'
import { classes } from '#ui/base/classes.ts'
import { Icon } from '#ui/base/icon.tsx'
import { TextField } from '#ui/form/field.tsx'
import { htmlOfClipboard, htmlOfFile, htmlOfText, maxSignatureHtml } from './signature-html.ts'

interface PasteSourceProps {
  readonly onHtml: (html: string) => void
}

type Problem = 'pastedNothing' | 'pastedNoFile' | 'pastedTooLong'

export function PasteSource({ onHtml }: PasteSourceProps) {
  const t = useTranslations('signatures')
  const [problem, setProblem] = useState<Problem>()
  const [code, setCode] = useState<string>()
  const take = (html: string | undefined) => {
    if (html === undefined) setProblem('pastedNoFile')
    else if (html.trim() === '') setProblem('pastedNothing')
    else if (new TextEncoder().encode(html).length > maxSignatureHtml) setProblem('pastedTooLong')
    else onHtml(html)
  }
  const takeFile = async (file: File | undefined) => file && take(await htmlOfFile(file))
  return (
    <>
      {code === undefined ? (
        <PasteArea onHtml={take} onFile={file => void takeFile(file)} />
      ) : (
        <TextField label={t('htmlCode')} rows={8} value={code} onChange={setCode} autoFocus />
      )}
      <p role="status" className="mt-2 text-[0.8125rem] text-bad">
        {problem && t(problem)}
      </p>
      <div className="mt-2 flex flex-wrap gap-2">
        <FileTrigger
          acceptedFileTypes={['.htm', '.html', '.txt', 'text/html']}
          onSelect={files => void takeFile(files?.[0])}
        >
          <Button isSmall icon="upload">
            {t('chooseHtmlFile')}
          </Button>
        </FileTrigger>
        {code === undefined ? (
          <Button isSmall icon="file-text" onPress={() => setCode('')}>
            {t('enterHtml')}
          </Button>
        ) : (
          <>
            <Button isSmall icon="clipboard-check" onPress={() => setCode(undefined)}>
              {t('pasteInstead')}
            </Button>
            <Button isSmall variant="primary" onPress={() => take(htmlOfText(code))}>
              {t('readPasted')}
            </Button>
          </>
        )}
      </div>
    </>
  )
}

interface PasteAreaProps extends PasteSourceProps {
  readonly onFile: (file: File | undefined) => void
}

function PasteArea({ onHtml, onFile }: PasteAreaProps) {
  const t = useTranslations('signatures')
  const [isOver, setOver] = useState(false)
  const area = useRef<HTMLTextAreaElement>(null)
  // Pasting is the one thing to do here.
  useEffect(() => area.current?.focus(), [])
  const paste = (event: ClipboardEvent) => {
    event.preventDefault()
    onHtml(htmlOfClipboard(event.clipboardData))
  }
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    const [file] = event.dataTransfer.files
    if (file) onFile(file)
    else onHtml(htmlOfClipboard(event.dataTransfer))
  }
  return (
    <div className="relative">
      <textarea
        aria-label={t('pasteHere')}
        ref={area}
        onPaste={paste}
        onDrop={drop}
        onDragOver={event => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        value=""
        onChange={() => undefined}
        className={classes(
          'block h-44 w-full resize-none rounded-xl border-2 border-dashed caret-transparent outline-none focus:border-accent',
          isOver ? 'border-accent bg-accent-soft' : 'border-edge/60 bg-sunken/50',
        )}
      />
      <div className="pointer-events-none absolute inset-0 grid place-content-center justify-items-center gap-2 p-4 text-center text-muted">
        <Icon name="clipboard-check" size={24} />
        <p className="font-medium text-ink">{t('pasteHere')}</p>
        <p className="text-[0.8125rem]">{t('pasteKeys')}</p>
      </div>
    </div>
  )
}
