// The open list of people. Before them: the next one who lacks a value, the longest values, samples.
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type RefObject, useDeferredValue, useState } from 'react'
import { Autocomplete } from 'react-aria-components/Autocomplete'
import { Header } from 'react-aria-components/Header'
import { Input } from 'react-aria-components/Input'
import { Menu, MenuItem, MenuSection } from 'react-aria-components/Menu'
import { SearchField } from 'react-aria-components/SearchField'
import { useTranslations } from 'use-intl'
import { api } from '#api/client.ts'
import { useNameOf } from '#api/teammates.ts'
import { addressesOf } from '#records/signatures/example-person.ts'
import { classes, controlFrame, optionClasses } from '#ui/base/classes.ts'
import { Icon, type IconName } from '#ui/base/icon.tsx'
import { PopoverPanel } from '#ui/overlay/popover-panel.tsx'
import { type ShownPerson, useShownPreview } from '../rendering/preview-state.tsx'

interface ChooserEntry {
  readonly id: string
  readonly label: string
  readonly hint?: string
  readonly icon: IconName
  readonly isChosen?: boolean
  readonly run: () => void
}

/** Before anything is typed, the first people by name. */
function usePeopleEntries(text: string): { readonly entries: readonly ChooserEntry[]; isFetching: boolean } {
  const { shownPerson, setShownPerson } = useShownPreview()
  const nameOf = useNameOf()
  const search = useDeferredValue(text.trim())
  const { data = [], isFetching } = useQuery({
    queryKey: ['teammates', 'choose', search],
    queryFn: ({ signal }) =>
      api.teammates.list({ limit: 20, sort: 'name', ...(search && { search }) }, { signal }),
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  })
  const entries = data.flatMap(person =>
    addressesOf(person, nameOf(person)).map(
      (picked): ChooserEntry => ({
        id: picked.emailId,
        label: picked.name,
        hint: picked.address,
        icon: 'user',
        isChosen: typeof shownPerson !== 'string' && shownPerson.emailId === picked.emailId,
        run: () => setShownPerson(picked),
      }),
    ),
  )
  return { entries, isFetching }
}

function Entries({ title, entries }: { readonly title: string; readonly entries: readonly ChooserEntry[] }) {
  return (
    <MenuSection>
      <Header className="px-2.5 pt-2 pb-1 text-xs font-medium text-muted">{title}</Header>
      {entries.map(({ id, label, hint, icon, isChosen }) => (
        <MenuItem key={id} id={id} textValue={label} className={optionClasses}>
          <Icon name={icon} className="text-muted" />
          <span className="min-w-0 flex-1">
            <span className="block truncate">{label}</span>
            {hint && <span className="block truncate text-xs text-muted">{hint}</span>}
          </span>
          {isChosen && <Icon name="check" size={14} className="text-accent" />}
        </MenuItem>
      ))}
    </MenuSection>
  )
}

interface PersonListProps {
  readonly onNextGap: () => void
  readonly onClose: () => void
}

function PersonList({ onNextGap, onClose }: PersonListProps) {
  const t = useTranslations('editor.preview')
  const { shownPerson, setShownPerson } = useShownPreview()
  const [text, setText] = useState('')
  const { entries: people, isFetching } = usePeopleEntries(text)
  const sample = (id: Extract<ShownPerson, string>, icon: IconName): ChooserEntry => ({
    id,
    label: t(id),
    hint: t(`${id}Hint`),
    icon,
    isChosen: shownPerson === id,
    run: () => setShownPerson(id),
  })
  const special: readonly ChooserEntry[] = [
    { id: 'gap', label: t('nextGap'), hint: t('nextGapHint'), icon: 'circle-dashed', run: onNextGap },
    sample('longest', 'type'),
    sample('placeholder', 'id-card'),
  ]
  const sections = [
    { title: t('special'), entries: text.trim() === '' ? special : [] },
    { title: t('people'), entries: people },
  ].filter(({ entries }) => entries.length > 0)
  const choose = (id: string | number) => {
    onClose()
    sections
      .flatMap(({ entries }) => entries)
      .find(entry => entry.id === id)
      ?.run()
  }
  return (
    <Autocomplete inputValue={text} onInputChange={setText}>
      <SearchField aria-label={t('search')} autoFocus className="relative m-1 block">
        <Icon name="search" className="pointer-events-none absolute start-3 top-2.5 text-muted" />
        <Input
          placeholder={t('search')}
          className={classes(controlFrame, 'ps-9 [&::-webkit-search-cancel-button]:hidden')}
        />
      </SearchField>
      <Menu
        aria-label={t('person')}
        onAction={choose}
        className="max-h-80 overflow-y-auto pb-1 outline-none"
        renderEmptyState={() => (
          <p className="px-2.5 py-2 text-sm text-muted">{isFetching ? t('searching') : t('nobody')}</p>
        )}
      >
        {sections.map(({ title, entries }) => (
          <Entries key={title} title={title} entries={entries} />
        ))}
      </Menu>
    </Autocomplete>
  )
}

interface PersonPanelProps extends PersonListProps {
  readonly triggerRef: RefObject<HTMLButtonElement | null>
}

export default function PersonPanel({ triggerRef, ...list }: PersonPanelProps) {
  const t = useTranslations('editor.preview')
  return (
    <PopoverPanel label={t('person')} triggerRef={triggerRef} placement="bottom start" onClose={list.onClose}>
      <div className="w-80 max-w-full">
        <PersonList {...list} />
      </div>
    </PopoverPanel>
  )
}
