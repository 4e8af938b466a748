// A signature that exists: pasted, read, compared with its original, and opened in the editor with the original beside.

import type { ContentImport } from '@signoff/sdk'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { api, queryClient } from '#api/client.ts'
import { storeOriginal } from '#api/originals.ts'
import { smartFieldsQuery } from '#api/smart-fields.ts'
import { nameOfTeammate } from '#api/teammates.ts'
import { equalOnce, ImportedChanges } from '#records/originals/imported-changes.tsx'
import { OriginalFrame } from '#records/originals/original-frame.tsx'
import { addressesOf, type PickedAddress } from '#records/signatures/example-person.ts'
import { Button, Spinner } from '#ui/base/button.tsx'
import { ErrorNotice } from '#ui/feedback/error-notice.tsx'
import { Notice } from '#ui/layout/page.tsx'
import { Actions, Dialog } from '#ui/overlay/dialog.tsx'
import { PersonPicker } from '../person-picker.tsx'
import { ContentFrame } from './content-frame.tsx'
import { CreateForm } from './create-form.tsx'
import { contentWithTexts, ImportedFields } from './imported-fields.tsx'
import { PasteSource } from './paste-source.tsx'

interface ImportedResultProps {
  readonly original: string
  readonly result: ContentImport
  readonly person: PickedAddress | undefined
  readonly texts: ReadonlySet<string>
  readonly onTexts: (texts: ReadonlySet<string>) => void
  /** The choice of the person. */
  readonly children: ReactNode
}

/** The pasted signature beside what was read from it, and what differs. */
function ImportedResult(props: ImportedResultProps) {
  const { original, result, person, texts, onTexts, children } = props
  const t = useTranslations('signatures')
  const content = contentWithTexts(result, texts)
  const top = useRef<HTMLDivElement>(null)
  // The element that had the focus is gone.
  useEffect(() => top.current?.focus(), [])
  const changes = equalOnce([
    ...result.not_mapped.map(({ code, what }) => ({ code, text: t(`notMapped.${code}`), what })),
    // The colours are as they were pasted. The check of the signature has them.
    ...result.warnings
      .filter(({ code }) => code !== 'low_contrast')
      .map(({ code, message }) => ({ code, text: message, what: '' })),
  ])
  return (
    <div ref={top} tabIndex={-1} className="mb-5 grid gap-4 outline-none">
      <div className="grid gap-4 md:grid-cols-2">
        <figure className="min-w-0">
          <figcaption className="mb-2 text-[0.8125rem] font-medium">{t('pastedOriginal')}</figcaption>
          <div className="overflow-hidden rounded-xl border border-line bg-white p-4">
            <OriginalFrame html={original} title={t('pastedOriginal')} />
          </div>
        </figure>
        <figure className="min-w-0">
          <figcaption className="mb-2 text-[0.8125rem] font-medium">{t('imported')}</figcaption>
          <div className="overflow-hidden rounded-xl border border-line bg-white p-4">
            <ContentFrame
              content={content}
              cacheKey={['import', JSON.stringify(content)]}
              title={t('imported')}
              emailId={person?.emailId}
              width={520}
            />
          </div>
        </figure>
      </div>
      <div className="grid items-start gap-4 md:grid-cols-2">
        <div>{children}</div>
        {result.fields.length > 0 ? (
          <ImportedFields fields={result.fields} texts={texts} onTexts={onTexts} />
        ) : (
          <Notice kind="warn">{t('importedFixed')}</Notice>
        )}
      </div>
      {changes.length === 0 ? (
        <Notice kind="good">{t('importedWhole')}</Notice>
      ) : (
        <ImportedChanges changes={changes} isOpen={changes.length <= 3} />
      )}
    </div>
  )
}

const addressPattern = /[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,5}/g
/** A signature names the own address, seldom a second one. Each address is one request. */
const maxAddresses = 3

const addressesIn = (html: string): readonly string[] => {
  const addresses = [...html.matchAll(addressPattern)].map(([address]) => address.toLowerCase())
  return [...new Set(addresses)].slice(0, maxAddresses)
}

/** Whose signature was pasted: the person of the workspace whose address stands in it. */
async function findOwner(html: string): Promise<PickedAddress | undefined> {
  for (const address of addressesIn(html)) {
    const people = await api.teammates.list({ search: address, limit: 5 })
    const fields = await queryClient.ensureQueryData(smartFieldsQuery)
    const owner = people
      .flatMap(person => addressesOf(person, nameOfTeammate(person, fields)))
      .find(each => each.address.toLowerCase() === address)
    if (owner) return owner
  }
  return undefined
}

interface PasteDialogProps {
  readonly folderId: string | null
  readonly onClose: () => void
}

interface Read {
  readonly html: string
  readonly owner: PickedAddress | undefined
  readonly result: ContentImport
}

/** Undefined as the owner: it is searched. Null: the signature belongs to no person of the workspace. */
async function readSignature(html: string, person: PickedAddress | null | undefined): Promise<Read> {
  const owner = person === undefined ? await findOwner(html) : (person ?? undefined)
  const result = await api.content.import({ html, ...(owner && { email_id: owner.emailId }) })
  return { html, owner, result }
}

export default function PasteDialog({ folderId, onClose }: PasteDialogProps) {
  const t = useTranslations('signatures')
  const [read, setRead] = useState<Read>()
  // The token ids of fields that stay plain text.
  const [texts, setTexts] = useState<ReadonlySet<string>>(new Set())
  const reading = useMutation({
    mutationFn: ({ html, person }: { html: string; person?: PickedAddress | null }) =>
      readSignature(html, person),
    onSuccess: answer => {
      setRead(answer)
      setTexts(new Set())
    },
  })
  const restart = () => {
    reading.reset()
    setRead(undefined)
  }
  const pasted = reading.variables?.html
  return (
    <Dialog title={t('fromPaste')} onClose={onClose} size="wide" isModalOnly>
      <ErrorNotice error={reading.error} className="mb-4" />
      {read ? (
        <>
          <ImportedResult
            original={read.html}
            result={read.result}
            person={read.owner}
            texts={texts}
            onTexts={setTexts}
          >
            <PersonPicker
              label={t('whoseSignature')}
              value={read.owner}
              onChange={person => reading.mutate({ html: read.html, person: person ?? null })}
            />
            <p role="status" className="mt-1 flex items-center gap-2 text-[0.8125rem] text-muted">
              {reading.isPending && <Spinner />}
              {reading.isPending ? t('readingPasted') : t('whoseSignatureHint')}
            </p>
          </ImportedResult>
          <CreateForm
            start={async () => ({ draft_content: contentWithTexts(read.result, texts) })}
            folderId={folderId}
            suggestedName={t('pastedName')}
            onBack={restart}
            backLabel={t('pasteAgain')}
            onCreated={id => storeOriginal(id, { html: read.html, changes: read.result.not_mapped })}
          />
        </>
      ) : (
        <>
          <p className="mb-4 text-muted">{t('pasteText')}</p>
          {pasted === undefined || reading.isError ? (
            <PasteSource onHtml={html => reading.mutate({ html })} />
          ) : (
            <Reading html={pasted} onBack={restart} />
          )}
        </>
      )}
    </Dialog>
  )
}

function Reading({ html, onBack }: { readonly html: string; readonly onBack: () => void }) {
  const t = useTranslations('signatures')
  return (
    <>
      <div className="max-h-72 overflow-y-auto rounded-xl border border-line bg-white p-4">
        <OriginalFrame html={html} title={t('pastedOriginal')} />
      </div>
      <p role="status" className="mt-3 flex items-center gap-2 text-muted">
        <Spinner /> {t('readingPasted')}
      </p>
      <Actions>
        <Button onPress={onBack}>{t('pasteAgain')}</Button>
      </Actions>
    </>
  )
}
