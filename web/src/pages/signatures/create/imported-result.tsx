import type { ContentImport } from '@signoff/sdk'
import { useTranslations } from 'use-intl'
import { Notice } from '../../../ui/page.tsx'
import { SignatureFrame } from '../../../ui/signature-frame.tsx'
import type { PickedAddress } from '../example-person.ts'
import { ContentFrame } from './content-frame.tsx'

interface ImportedResultProps {
  readonly original: string
  readonly result: ContentImport
  readonly person: PickedAddress | undefined
}

/** The pasted signature beside what was read from it, and what differs. */
export function ImportedResult({ original, result, person }: ImportedResultProps) {
  const t = useTranslations('signatures')
  const problems = [
    ...result.not_mapped.map(({ code, what }) => ({ code, text: t(`notMapped.${code}`), what })),
    ...result.warnings.map(({ code, message }) => ({ code, text: message, what: '' })),
  ]
  return (
    <div className="mb-5 grid gap-4">
      <div className="grid gap-4 md:grid-cols-2">
        <figure className="min-w-0">
          <figcaption className="mb-2 text-[0.8125rem] font-medium">{t('pastedOriginal')}</figcaption>
          <div className="overflow-hidden rounded-xl border border-line bg-white p-4">
            <SignatureFrame html={original} title={t('pastedOriginal')} width={520} />
          </div>
        </figure>
        <figure className="min-w-0">
          <figcaption className="mb-2 text-[0.8125rem] font-medium">{t('imported')}</figcaption>
          <div className="overflow-hidden rounded-xl border border-line bg-white p-4">
            <ContentFrame
              content={result.content}
              cacheKey={['import', JSON.stringify(result.content)]}
              title={t('imported')}
              emailId={person?.emailId}
              width={520}
            />
          </div>
        </figure>
      </div>
      {result.fields.length > 0 && (
        <Notice kind="good">
          {t('importedFields', {
            count: result.fields.length,
            values: result.fields.map(({ value }) => value).join(', '),
          })}
        </Notice>
      )}
      {problems.length === 0 ? (
        <Notice kind="good">{t('importedWhole')}</Notice>
      ) : (
        <details open={problems.length <= 3} className="rounded-xl bg-warn-soft px-3.5 py-2.5 text-warn">
          <summary className="text-[0.8125rem] font-medium">
            {t('importedProblems', { count: problems.length })}
          </summary>
          <ul className="mt-2 grid max-h-40 list-disc gap-1 overflow-y-auto ps-5 text-[0.8125rem]">
            {problems.map(({ code, text, what }, index) => (
              <li key={`${code}-${index}`}>
                {text} {what && <span>({what})</span>}
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  )
}
