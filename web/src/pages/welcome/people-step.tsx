import { useMutation } from '@tanstack/react-query'
import { type ClipboardEvent, useState } from 'react'
import { useTranslations } from 'use-intl'
import { useLoadedChecklist } from '#api/checklist.ts'
import { api, readAgain } from '#api/client.ts'
import { useMe } from '#api/session.ts'
import { useProblemMessage } from '#state/error-messages.ts'
import type { FieldProblem } from '#state/problem-messages.ts'
import { Button, IconButton } from '#ui/base/button.tsx'
import { Icon } from '#ui/base/icon.tsx'
import { PathLink } from '#ui/base/text-link.tsx'
import { ErrorNotice } from '#ui/feedback/error-notice.tsx'
import { toast } from '#ui/feedback/toast.tsx'
import { TextField } from '#ui/form/field.tsx'
import { Notice } from '#ui/layout/page.tsx'
import { type PastedRows, rowsInText } from './pasted-rows.ts'
import {
  columnOf,
  emptyRow,
  isAddress,
  isFilled,
  maxRows,
  type PersonColumn,
  type PersonRow,
  personColumns,
  type RowProblems,
  splitName,
  teammateInputOf,
} from './people-rows.ts'
import { StepButtons, StepFrame } from './step-frame.tsx'
import { useStep } from './steps.ts'

interface PeopleTableProps {
  readonly rows: readonly PersonRow[]
  readonly onChange: (rows: readonly PersonRow[]) => void
  readonly onPaste: (pasted: PastedRows, at: number) => void
  /** The problems of the rows, by the place of the row. */
  readonly problems: ReadonlyMap<number, RowProblems>
}

const inputTypes: Partial<Record<PersonColumn, 'email' | 'tel'>> = { email: 'email', work_phone: 'tel' }

/** One line per person on wide screens, one card on phones. Cells of a spreadsheet can be pasted into any field. */
function NewPeopleTable({ rows, onChange, onPaste, problems }: PeopleTableProps) {
  const t = useTranslations('welcome.people')
  const paste = (event: ClipboardEvent, at: number) => {
    const pasted = rowsInText(event.clipboardData.getData('text/plain'))
    if (!pasted) return
    event.preventDefault()
    onPaste(pasted, at)
  }
  const set = (at: number, column: PersonColumn, value: string) =>
    onChange(rows.map((row, index) => (index === at ? { ...row, [column]: value } : row)))
  return (
    <div className="grid gap-2">
      <div
        aria-hidden="true"
        className="grid grid-cols-[repeat(2,1fr)_1.6fr_1.2fr_1fr_2rem] gap-2 text-xs font-medium text-muted max-md:hidden"
      >
        {personColumns.map(column => (
          <span key={column}>{t(`columns.${column}`)}</span>
        ))}
      </div>
      {rows.map((row, at) => (
        // Rows have no identity of their own: they are typed, pasted over and removed by their place.
        <fieldset
          key={at}
          onPaste={event => paste(event, at)}
          className="max-md:rounded-xl max-md:border max-md:border-line max-md:bg-card max-md:p-3"
        >
          <legend className="sr-only">{t('person', { number: at + 1 })}</legend>
          <div className="grid grid-cols-2 gap-2 md:grid-cols-[repeat(2,1fr)_1.6fr_1.2fr_1fr_2rem]">
            {personColumns.map(column => (
              <TextField
                key={column}
                label={t(`columns.${column}`)}
                isLabelHidden
                placeholder={t(`placeholders.${column}`)}
                type={inputTypes[column] ?? 'text'}
                value={row[column]}
                onChange={value => set(at, column, value)}
                problem={problems.get(at)?.[column]}
                className={column === 'email' ? 'max-md:order-first max-md:col-span-2' : ''}
              />
            ))}
            <IconButton
              icon="x"
              label={t('remove', { number: at + 1 })}
              isDisabled={rows.length === 1}
              onPress={() => onChange(rows.filter((_, index) => index !== at))}
            />
          </div>
        </fieldset>
      ))}
      <div>
        <Button
          variant="quiet"
          icon="plus"
          isDisabled={rows.length >= maxRows}
          onPress={() => onChange([...rows, emptyRow])}
        >
          {t('add')}
        </Button>
      </div>
    </div>
  )
}

type Problems = ReadonlyMap<number, RowProblems>

/** The pasted columns and rows that have no place in the table. */
const PasteNotes = ({ pasted }: { readonly pasted: PastedRows }) => {
  const t = useTranslations('welcome.people')
  const { ignored, cut } = pasted
  if (ignored.length === 0 && cut === 0) return null
  return (
    <div role="status" className="mt-2">
      <Notice kind="warn">
        {ignored.length > 0 && (
          <p>{t('ignoredColumns', { count: ignored.length, names: ignored.join(', ') })}</p>
        )}
        {cut > 0 && <p>{t('cutRows', { count: cut })}</p>}
      </Notice>
    </div>
  )
}

/** The rows with the pasted ones; those whose address is not complete are marked at once. */
function usePaste(
  rows: readonly PersonRow[],
  onPasted: (rows: readonly PersonRow[], problems: Problems) => void,
) {
  const errors = useTranslations('shell.fieldErrors')
  const [pasted, setPasted] = useState<PastedRows>()
  const paste = (clipboard: PastedRows, at: number) => {
    const next = [...rows.slice(0, at), ...clipboard.rows, ...rows.slice(at + 1)].filter(
      (row, index) => isFilled(row) || index < at,
    )
    const firstRows = next.slice(0, maxRows)
    const wrong = firstRows.flatMap((row, index): [number, RowProblems][] =>
      isFilled(row) && !isAddress(row.email.trim()) ? [[index, { email: errors('invalidEmail') }]] : [],
    )
    setPasted({ ...clipboard, cut: clipboard.cut + next.length - firstRows.length })
    onPasted(firstRows, new Map(wrong))
  }
  return { pasted, paste }
}

const FileCard = () => {
  const t = useTranslations('welcome.people')
  return (
    <PathLink
      to="/people/import"
      className="mt-6 flex items-center gap-4 rounded-2xl border border-line bg-card p-4 hover:border-edge"
    >
      <span className="grid size-10 shrink-0 place-items-center rounded-xl bg-accent-soft text-accent">
        <Icon name="file-text" size={20} />
      </span>
      <span className="min-w-0 flex-1">
        <span className="block font-medium">{t('file')}</span>
        <span className="block text-[0.8125rem] text-muted">{t('fileHint')}</span>
      </span>
      <Icon name="chevron-right" className="text-muted rtl:rotate-180" />
    </PathLink>
  )
}

/** The own row first, and two empty ones, so that the next name can be typed at once. */
function useRows(isFirst: boolean) {
  const { account } = useMe()
  const own = { ...emptyRow, ...splitName(account.name), email: account.email }
  return useState<readonly PersonRow[]>(() => [isFirst ? own : emptyRow, emptyRow, emptyRow])
}

export function PeopleStep() {
  const t = useTranslations('welcome.people')
  const shared = useTranslations('welcome')
  const [, goTo] = useStep()
  const { peopleCount } = useLoadedChecklist()
  const [rows, setRows] = useRows(peopleCount === 0)
  const [problems, setProblems] = useState<Problems>(new Map())
  const textOf = useProblemMessage()
  const { pasted, paste } = usePaste(rows, (next, wrong) => {
    setRows(next)
    setProblems(wrong)
  })
  const filled = rows.filter(isFilled)
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => api.teammates.import({ teammates: filled.map(teammateInputOf) }),
    onSuccess: async ({ created, updated, failed }) => {
      await readAgain('teammates', 'checklist')
      if (created + updated > 0) toast(t('saved', { count: created + updated }))
      const refused = failed.flatMap(({ index, details }) => {
        const row = filled[index]
        return row ? [{ row, details: details as FieldProblem[] }] : []
      })
      setRows(refused.length > 0 ? refused.map(({ row }) => row) : [emptyRow])
      setProblems(
        new Map(
          refused.map(({ row, details }, index) => [
            index,
            Object.fromEntries(details.map(each => [columnOf(row, each.field), textOf(each)])),
          ]),
        ),
      )
      if (refused.length === 0) goTo('design')
    },
  })
  return (
    <StepFrame title={t('title')} about={t('about')}>
      {peopleCount > 0 && (
        <div className="mb-5">
          <Notice kind="good">{t('already', { count: peopleCount })}</Notice>
        </div>
      )}
      {problems.size > 0 && (
        <div role="alert" className="mb-3">
          <Notice kind="bad">{t('refused', { count: problems.size })}</Notice>
        </div>
      )}
      <NewPeopleTable rows={rows} onChange={setRows} onPaste={paste} problems={problems} />
      {pasted && <PasteNotes pasted={pasted} />}
      <p className="mt-2 text-[0.8125rem] text-muted">{t('pasteHint')}</p>
      <FileCard />
      <ErrorNotice error={error} className="mt-4" />
      <StepButtons onBack={() => goTo('company')} onSkip={() => goTo('design')}>
        {filled.length === 0 && peopleCount > 0 ? (
          <Button variant="primary" onPress={() => goTo('design')}>
            {shared('continue')}
          </Button>
        ) : (
          <Button
            variant="primary"
            isPending={isPending}
            isDisabled={filled.length === 0}
            onPress={() => mutate()}
          >
            {t(peopleCount > 0 ? 'saveMore' : 'save', { count: filled.length })}
          </Button>
        )}
      </StepButtons>
    </StepFrame>
  )
}
