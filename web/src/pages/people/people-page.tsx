import { useEffect, useState } from 'react'
import { useTranslations } from 'use-intl'
import { useDrivingDirectory } from '#api/integrations.ts'
import { useCan } from '#api/session.tsx'
import { type PeopleFilterName, useSmartFields } from '#records/people/people-data.ts'
import { useAddressState } from '#state/address-state.ts'
import { Button, LinkButton } from '#ui/base/button.tsx'
import { SearchField } from '#ui/form/field.tsx'
import { Page } from '#ui/layout/page.tsx'
import { AddPersonDialog } from './list/add-person.tsx'
import { ColumnsButton, useChosenColumns } from './list/columns-button.tsx'
import { PeopleExportButton } from './list/export-button.tsx'
import { PeopleFilterButton, PeopleFilterChips } from './list/people-filters.tsx'
import { PeopleTable } from './list/people-table.tsx'

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
  const shown = fields.filter(({ key }) => chosen.includes(key))
  const add = () => setAdding(true)
  return (
    <Page
      title={t('title')}
      about={directory ? t('aboutDirectory', { name: directory.name }) : t('about')}
      isWide
      actions={
        <>
          <PeopleExportButton filters={filters} fields={shown} />
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
