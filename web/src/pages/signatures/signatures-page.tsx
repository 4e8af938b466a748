import { useDeferredValue } from 'react'
import { useTranslations } from 'use-intl'
import { useCan } from '#api/session.ts'
import { useAddressState } from '#state/address-state.ts'
import { Button } from '#ui/base/button.tsx'
import { SearchField } from '#ui/form/field.tsx'
import { FilterSelect } from '#ui/form/filter-select.tsx'
import { EmptyState, Page } from '#ui/layout/page.tsx'
import { NewSignature } from './create/new-signature.tsx'
import { FolderBar } from './list/folder-bar.tsx'
import { type SignatureFilters, SignatureGrid } from './list/signature-grid.tsx'

const sorts = ['-updated_at', 'name', 'priority', '-created_at'] as const
const states = ['all', 'live', 'changed', 'draft', 'inactive'] as const

type Sort = (typeof sorts)[number]
type State = (typeof states)[number]
const idAmong = <Id extends string>(ids: readonly Id[], id: string | undefined): Id =>
  ids.find(each => each === id) ?? (ids[0] as Id)

export default function SignaturesPage() {
  const t = useTranslations('signatures')
  const can = useCan()
  const [address, setAddress] = useAddressState<'search' | 'folder' | 'status' | 'sort' | 'new'>()
  const search = useDeferredValue(address.search ?? '')
  const [sort, state] = [idAmong(sorts, address.sort), idAmong(states, address.status)]
  const filters: SignatureFilters = {
    sort,
    ...(search.trim() && { search: search.trim() }),
    ...(address.folder && { folder_id: address.folder }),
    ...(state !== 'all' && { status: state }),
  }
  const isFiltered = Object.keys(filters).length > 1
  const newSignature = can('signatures:write') && (
    <NewSignature
      folderId={address.folder === 'none' ? null : (address.folder ?? null)}
      open={address.new}
      onOpen={way => setAddress({ new: way })}
    />
  )
  return (
    <Page title={t('title')} about={t('about')} actions={newSignature}>
      <div className="mb-3 flex flex-wrap gap-2">
        <SearchField
          label={t('search')}
          value={address.search ?? ''}
          onChange={text => setAddress({ search: text })}
          className="min-w-48 flex-1"
        />
        <FilterSelect<State>
          label={t('status')}
          value={state}
          options={states.map(id => ({ id, label: t(`stateFilters.${id}`) }))}
          onChange={id => setAddress({ status: id === 'all' ? undefined : id })}
          className="w-44"
        />
        <FilterSelect<Sort>
          label={t('sort')}
          value={sort}
          options={sorts.map(id => ({ id, label: t(`sorts.${id}`) }))}
          onChange={id => setAddress({ sort: id === sorts[0] ? undefined : id })}
          className="w-44"
        />
      </div>
      <FolderBar chosen={address.folder} onChoose={folder => setAddress({ folder })} />
      <SignatureGrid
        filters={filters}
        empty={
          isFiltered ? (
            <EmptyState
              icon="search"
              title={t('noneFound')}
              action={
                <Button
                  onPress={() => setAddress({ search: undefined, folder: undefined, status: undefined })}
                >
                  {t('showAll')}
                </Button>
              }
            />
          ) : (
            <EmptyState
              icon="pen-line"
              title={t('emptyTitle')}
              action={
                can('signatures:write') && (
                  <Button variant="primary" icon="plus" onPress={() => setAddress({ new: 'template' })}>
                    {t('emptyAction')}
                  </Button>
                )
              }
            >
              {t('emptyText')}
            </EmptyState>
          )
        }
      />
    </Page>
  )
}
