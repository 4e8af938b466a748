// Ctrl/⌘ K: search over pages, people, signatures and campaigns.
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useDeferredValue, useState } from 'react'
import {
  Autocomplete,
  Dialog,
  Input,
  Menu,
  MenuItem,
  MenuSection,
  Modal,
  ModalOverlay,
  SearchField,
} from 'react-aria-components'
import { Header } from 'react-aria-components/Header'
import { useLocale, useTranslations } from 'use-intl'
import { api } from '#api/client.ts'
import { useCan, useMe } from '#api/session.ts'
import { useNameOf } from '#api/teammates.ts'
import { optionClasses } from '#ui/base/classes.ts'
import { Icon, type IconName } from '#ui/base/icon.tsx'
import { visibleNavigation } from './navigation.ts'

interface Hit {
  readonly id: string
  readonly label: string
  readonly hint?: string
  readonly icon: IconName
  readonly to: string
}

const contains = (text: string, part: string): boolean => text.toLowerCase().includes(part.toLowerCase())

function useHits(text: string) {
  const can = useCan()
  const search = useDeferredValue(text.trim())
  const options = { staleTime: 30_000, placeholderData: keepPreviousData }
  const people = useQuery({
    ...options,
    queryKey: ['teammates', 'search', search],
    queryFn: ({ signal }) => api.teammates.list({ search, limit: 6 }, { signal }),
    enabled: search.length > 1 && can('teammates:read'),
  })
  const signatures = useQuery({
    ...options,
    queryKey: ['signatures', 'all'],
    queryFn: () => api.signatures.list({ limit: 100 }),
    enabled: can('signatures:read'),
  })
  const campaigns = useQuery({
    ...options,
    queryKey: ['campaigns', 'all'],
    queryFn: () => api.marketingCampaigns.list({ limit: 100 }),
    enabled: can('marketing_campaigns:read'),
  })
  const nameOf = useNameOf()
  const named = (
    rows: readonly { id: string; name: string }[] | undefined,
    path: string,
    icon: IconName,
  ): Hit[] =>
    search === ''
      ? []
      : (rows ?? [])
          .filter(({ name }) => contains(name, search))
          .slice(0, 6)
          .map(({ id, name }) => ({ id, label: name, icon, to: `${path}/${id}` }))
  return {
    search,
    people:
      search.length < 2
        ? []
        : (people.data ?? []).map(
            (person): Hit => ({
              id: person.id,
              label: nameOf(person),
              hint: person.email,
              icon: 'user',
              to: `/people/${person.id}`,
            }),
          ),
    signatures: named(signatures.data, '/signatures', 'pen-line'),
    campaigns: named(campaigns.data, '/campaigns', 'megaphone'),
  }
}

const Section = ({ title, hits }: { readonly title: string; readonly hits: readonly Hit[] }) => (
  <MenuSection>
    <Header className="px-2.5 pt-3 pb-1 text-xs font-medium text-muted">{title}</Header>
    {hits.map(({ id, label, hint, icon }) => (
      <MenuItem key={id} id={id} textValue={label} className={optionClasses}>
        <Icon name={icon} className="text-muted" />
        <span className="min-w-0 flex-1 truncate">
          {label} {hint && <span className="text-muted">{hint}</span>}
        </span>
      </MenuItem>
    ))}
  </MenuSection>
)

export default function CommandPalette({ onClose }: { readonly onClose: () => void }) {
  const t = useTranslations('shell')
  const navigate = useNavigate()
  const locale = useLocale()
  const me = useMe()
  const [text, setText] = useState('')
  const { search, people, signatures, campaigns } = useHits(text)
  const pages = visibleNavigation(me)
    .flat()
    .map((entry): Hit => ({ id: entry.to, label: entry.name[locale], icon: entry.icon, to: entry.to }))
    .filter(({ label }) => contains(label, search))
  const sections = [
    { title: t('searchPeople'), hits: people },
    { title: t('searchSignatures'), hits: signatures },
    { title: t('searchCampaigns'), hits: campaigns },
    { title: t('searchPages'), hits: pages },
  ].filter(({ hits }) => hits.length > 0)
  const open = (id: string | number) => {
    const hit = sections.flatMap(({ hits }) => hits).find(each => each.id === id)
    if (hit) void navigate({ to: hit.to })
    onClose()
  }
  return (
    <ModalOverlay
      isOpen
      onOpenChange={isOpen => isOpen || onClose()}
      isDismissable
      className="fixed inset-0 z-50 grid justify-items-center bg-black/40 p-4 pt-[12vh]"
    >
      <Modal className="h-fit w-full max-w-xl overflow-hidden rounded-2xl border border-line bg-card shadow-floating">
        <Dialog aria-label={t('search')} className="outline-none">
          <Autocomplete inputValue={text} onInputChange={setText}>
            <SearchField
              aria-label={t('searchHint')}
              autoFocus
              className="flex items-center gap-3 border-b border-line px-4"
            >
              <Icon name="search" size={18} className="text-muted" />
              <Input
                placeholder={t('searchHint')}
                className="h-12 min-w-0 flex-1 bg-transparent text-base outline-none placeholder:text-muted [&::-webkit-search-cancel-button]:hidden"
              />
            </SearchField>
            {/* The focus stays in the field, so the list itself must be reachable to be scrolled by keyboard. */}
            <section aria-label={t('search')} tabIndex={0} className="max-h-[50vh] overflow-y-auto">
              <Menu
                aria-label={t('search')}
                onAction={open}
                className="px-2 pb-2 outline-none"
                renderEmptyState={() => (
                  <p className="p-4 text-muted">{t('searchEmpty', { text: search })}</p>
                )}
              >
                {sections.map(({ title, hits }) => (
                  <Section key={title} title={title} hits={hits} />
                ))}
              </Menu>
            </section>
          </Autocomplete>
          <p className="border-t border-line px-4 py-2 text-xs text-muted">{t('searchKeys')}</p>
        </Dialog>
      </Modal>
    </ModalOverlay>
  )
}
