import type { ClipboardEvent } from 'react'
import { useTranslations } from 'use-intl'
import { Button, IconButton } from '#ui/base/button.tsx'
import { TextField } from '#ui/form/field.tsx'
import { type PastedRows, rowsInText } from './pasted-rows.ts'
import {
  emptyRow,
  maxRows,
  type PersonColumn,
  type PersonRow,
  personColumns,
  type RowProblems,
} from './people-rows.ts'

interface PeopleTableProps {
  readonly rows: readonly PersonRow[]
  readonly onChange: (rows: readonly PersonRow[]) => void
  readonly onPaste: (pasted: PastedRows, at: number) => void
  /** The problems of the rows, by the place of the row. */
  readonly problems: ReadonlyMap<number, RowProblems>
}

const inputTypes: Partial<Record<PersonColumn, 'email' | 'tel'>> = { email: 'email', work_phone: 'tel' }

/** One line per person on wide screens, one card on phones. Cells of a spreadsheet can be pasted into any field. */
export function NewPeopleTable({ rows, onChange, onPaste, problems }: PeopleTableProps) {
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
