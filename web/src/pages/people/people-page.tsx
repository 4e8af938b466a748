import type { SmartField, Teammate } from '@signoff/sdk'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useTranslations } from 'use-intl'
import { api, queryClient } from '#api/client.ts'
import { useDrivingDirectory } from '#api/integrations.ts'
import { useCan } from '#api/session.ts'
import { smartFieldsQuery } from '#api/smart-fields.ts'
import { nameOfTeammate } from '#api/teammates.ts'
import {
  apiFiltersOf,
  type PeopleFilterName,
  type PeopleFilters,
  peopleKey,
  useSmartFields,
  valueIn,
} from '#records/people/people-data.ts'
import { useAddressState } from '#state/address-state.ts'
import { useMessageOf } from '#state/error-messages.ts'
import { Button, LinkButton } from '#ui/base/button.tsx'
import { csvCell, saveFile } from '#ui/base/download.ts'
import { toast, toastError } from '#ui/feedback/toast.tsx'
import { Checkbox } from '#ui/form/choice.tsx'
import { SearchField, TextField } from '#ui/form/field.tsx'
import { FormDialog } from '#ui/form/form-dialog.tsx'
import { Page } from '#ui/layout/page.tsx'
import { PopoverButton } from '#ui/overlay/popover-button.tsx'
import { canBeColumn, usualColumns } from './list/people-columns.tsx'
import { PeopleFilterButton, PeopleFilterChips } from './list/people-filters.tsx'
import { PeopleTable } from './list/people-table.tsx'

const line = (cells: readonly string[]): string =>
  `${cells.map(cell => csvCell(cell, { keepsNumbers: true })).join(',')}\r\n`

/** The list of people as a CSV file, made in the browser. */
async function downloadPeople(
  filters: PeopleFilters,
  fields: readonly SmartField[],
  titles: { readonly name: string; readonly email: string; readonly file: string },
  onProgress: (count: number) => void,
): Promise<void> {
  const allFields = await queryClient.ensureQueryData(smartFieldsQuery)
  const rowOf = (person: Teammate) =>
    line([
      nameOfTeammate(person, allFields),
      person.email,
      ...fields.map(({ id }) => valueIn(person, id) ?? ''),
    ])
  // Excel takes the byte order mark as the sign of UTF-8.
  const parts = ['\uFEFF', line([titles.name, titles.email, ...fields.map(({ label }) => label)])]
  for await (const person of api.teammates.list({ ...apiFiltersOf(filters), limit: 100, sort: 'name' })) {
    parts.push(rowOf(person))
    if (parts.length % 500 === 0) onProgress(parts.length)
  }
  saveFile(titles.file, new Blob(parts, { type: 'text/csv' }))
}

interface ExportButtonProps {
  readonly filters: PeopleFilters
  /** The columns that are shown. */
  readonly fields: readonly SmartField[]
}

function PeopleExportButton({ filters, fields }: ExportButtonProps) {
  const t = useTranslations('people')
  const messageOf = useMessageOf()
  const [count, setCount] = useState(0)
  const { mutate, isPending } = useMutation({
    mutationFn: () => {
      setCount(0)
      const titles = { name: t('name'), email: t('address'), file: t('exportFile') }
      return downloadPeople(filters, fields, titles, setCount)
    },
    onError: error => toastError(t('exportFailed'), messageOf(error)),
  })
  return (
    <Button icon="download" isPending={isPending} onPress={() => mutate()}>
      {isPending && count > 0 ? t('exporting', { count }) : t('export')}
    </Button>
  )
}

const asked = ['first_name', 'last_name', 'job_title', 'department', 'work_phone']

interface AddPersonProps {
  readonly fields: readonly SmartField[]
  readonly onClose: () => void
}

function AddPersonDialog({ fields, onClose }: AddPersonProps) {
  const t = useTranslations('people')
  const navigate = useNavigate()
  const askedFields = fields.filter(({ key }) => asked.includes(key))
  const valuesIn = (form: FormData) =>
    askedFields.flatMap(({ id }) => {
      const value = String(form.get(id) ?? '').trim()
      return value ? [{ smart_field_id: id, value }] : []
    })
  const controlOf = (field: string, form: FormData) => {
    const place = /smart_fields\[(\d+)\]/.exec(field)?.[1]
    return place === undefined ? undefined : valuesIn(form)[Number(place)]?.smart_field_id
  }
  const create = (form: FormData) => {
    const values = valuesIn(form)
    return api.teammates.create({ email: String(form.get('email')).trim(), smart_fields: values })
  }
  return (
    <FormDialog
      title={t('add')}
      onClose={onClose}
      isModalOnly
      onSubmit={create}
      controlOf={controlOf}
      onDone={({ id, email }) => {
        void queryClient.invalidateQueries({ queryKey: peopleKey })
        toast(t('added', { email }))
        onClose()
        void navigate({ to: `/people/${id}` as string })
      }}
      action={t('add')}
    >
      <TextField name="email" type="email" label={t('address')} isRequired autoFocus />
      <div className="grid gap-4 sm:grid-cols-2">
        {askedFields.map(({ id, label }) => (
          <TextField key={id} name={id} label={label} />
        ))}
      </div>
      <p className="text-[0.8125rem] text-muted">{t('addHint')}</p>
    </FormDialog>
  )
}

const storageKey = 'signoff.people.columns'
/** An empty value would leave the address. */
const noColumns = 'none'

function storedColumns(): readonly string[] | null {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(storageKey) ?? 'null')
    return Array.isArray(stored) ? stored.map(String) : null
  } catch {
    return null
  }
}

function useChosenColumns(fields: readonly SmartField[]) {
  const [{ columns }, setState] = useAddressState<'columns'>()
  const choose = (keys: readonly string[]) => {
    setState({ columns: keys.join(',') || noColumns })
    localStorage.setItem(storageKey, JSON.stringify(keys))
  }
  const chosen = columns === undefined ? (storedColumns() ?? usualColumns(fields)) : columns.split(',')
  return [chosen, choose] as const
}

interface ColumnsButtonProps {
  readonly fields: readonly SmartField[]
  readonly chosen: readonly string[]
  readonly onChoose: (keys: readonly string[]) => void
}

/** The choice of columns. It is in the address; this browser remembers it for the next visit. */
function ColumnsButton({ fields, chosen, onChoose }: ColumnsButtonProps) {
  const t = useTranslations('people')
  const toggle = (key: string) =>
    onChoose(chosen.includes(key) ? chosen.filter(other => other !== key) : [...chosen, key])
  return (
    <PopoverButton icon="list" label={t('columns')} className="max-md:hidden">
      <div className="grid max-h-80 gap-1 p-2">
        {fields.filter(canBeColumn).map(({ key, label }) => (
          <Checkbox
            key={key}
            isSelected={chosen.includes(key)}
            onChange={() => toggle(key)}
            className="rounded-lg px-1.5 py-1 data-hovered:bg-sunken"
          >
            {label}
          </Checkbox>
        ))}
      </div>
    </PopoverButton>
  )
}

interface PeopleSearchProps {
  readonly label: string
  readonly value: string
  readonly onChange: (text: string) => void
}

const pauseMilliseconds = 200

/** Asks after a short pause, so that a word is one request and not one for each letter. */
function PeopleSearch({ label, value, onChange }: PeopleSearchProps) {
  const [text, setText] = useState(value)
  useEffect(() => setText(value), [value])
  useEffect(() => {
    if (text.trim() === value) return
    const timer = setTimeout(() => onChange(text.trim()), pauseMilliseconds)
    return () => clearTimeout(timer)
  })
  return <SearchField label={label} value={text} onChange={setText} className="min-w-48 flex-1" />
}

// Loaded when they are opened: forms are a tenth of the first load.

const noFilters = { search: '', missing: '', field: '', value: '', signature: '', active: '', source: '' }

export default function PeoplePage() {
  const t = useTranslations('people')
  const can = useCan()
  const directory = useDrivingDirectory()
  const fields = useSmartFields()
  const [filters, setFilters] = useAddressState<PeopleFilterName>()
  const [chosen, choose] = useChosenColumns(fields)
  const [isAdding, setAdding] = useState(false)
  const columns = fields.filter(({ key }) => chosen.includes(key))
  const add = () => setAdding(true)
  return (
    <Page
      title={t('title')}
      about={directory ? t('aboutDirectory', { name: directory.name }) : t('about')}
      isWide
      actions={
        <>
          <PeopleExportButton filters={filters} fields={columns} />
          {can('teammates:write') && (
            <>
              <LinkButton to="/people/import" icon="upload">
                {t('import.open')}
              </LinkButton>
              {!directory && (
                <Button variant="primary" icon="plus" onPress={add}>
                  {t('add')}
                </Button>
              )}
            </>
          )}
        </>
      }
    >
      <div className="mb-3 flex flex-wrap gap-2">
        <PeopleSearch
          label={t('search')}
          value={filters.search ?? ''}
          onChange={search => setFilters({ search })}
        />
        <PeopleFilterButton {...{ fields, filters }} onChange={setFilters} />
        <ColumnsButton {...{ fields, chosen }} onChoose={choose} />
      </div>
      <PeopleFilterChips {...{ fields, filters }} onChange={setFilters} />
      <PeopleTable
        {...{ fields, filters, chosen }}
        onSort={sort => setFilters({ sort })}
        onClear={() => setFilters(noFilters)}
        onAdd={add}
      />
      {isAdding && <AddPersonDialog fields={fields} onClose={() => setAdding(false)} />}
    </Page>
  )
}
