import { useTranslations } from 'use-intl'

interface ImportedChangesProps {
  readonly changes: readonly { readonly code: string; readonly text: string; readonly what: string }[]
  readonly isOpen: boolean
}

/** What could not be taken over as it was. */
export function ImportedChanges({ changes, isOpen }: ImportedChangesProps) {
  const t = useTranslations('signatures')
  return (
    <details open={isOpen} className="rounded-xl bg-warn-soft px-3.5 py-2.5 text-warn">
      <summary className="text-[0.8125rem] font-medium">
        {t('importedProblems', { count: changes.length })}
      </summary>
      <ul className="mt-2 grid max-h-40 list-disc gap-1 overflow-y-auto ps-5 text-[0.8125rem]">
        {changes.map(({ code, text, what }, index) => (
          <li key={`${code}-${index}`}>
            {text} {what && <span>({what})</span>}
          </li>
        ))}
      </ul>
    </details>
  )
}
