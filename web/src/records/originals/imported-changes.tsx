import { useTranslations } from 'use-intl'

interface ImportedChange {
  readonly code: string
  readonly text: string
  readonly what: string
}

/** Many blocks can have the same problem: people read it once. */
export const equalOnce = (changes: readonly ImportedChange[]): readonly ImportedChange[] => [
  ...new Map(changes.map(change => [`${change.text} ${change.what}`, change])).values(),
]

/** `<svg>` says nothing to people. */
const isTag = (what: string): boolean => /^<[a-z]+>$/.test(what)

interface ImportedChangesProps {
  readonly changes: readonly ImportedChange[]
  readonly isOpen: boolean
}

/** The parts that could not be taken over as they were. */
export function ImportedChanges({ changes, isOpen }: ImportedChangesProps) {
  const t = useTranslations('signatures')
  return (
    <details open={isOpen} className="rounded-xl bg-warn-soft px-3.5 py-2.5 text-warn">
      <summary className="text-[0.8125rem] font-medium">
        {t('importedProblems', { count: changes.length })}
      </summary>
      <ul className="mt-2 grid max-h-40 list-disc gap-1 overflow-y-auto ps-5 pb-1 text-[0.8125rem]">
        {changes.map(({ code, text, what }, index) => (
          <li key={`${code}-${index}`}>
            {text} {what && !isTag(what) && <span>({what})</span>}
          </li>
        ))}
      </ul>
    </details>
  )
}
