import type { ContentImport } from '@signoff/sdk'
import { type ReactNode, useEffect, useRef } from 'react'
import { useTranslations } from 'use-intl'
import { equalOnce, ImportedChanges } from '#records/originals/imported-changes.tsx'
import { OriginalFrame } from '#records/originals/original-frame.tsx'
import type { PickedAddress } from '#records/signatures/example-person.ts'
import { Notice } from '#ui/layout/page.tsx'
import { ContentFrame } from './content-frame.tsx'
import { contentWithTexts, ImportedFields } from './imported-fields.tsx'

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
export function ImportedResult(props: ImportedResultProps) {
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
