// The pictures of the workspace, found by their names.
import type { Asset } from '@signoff/sdk'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ListBox, ListBoxItem } from 'react-aria-components/ListBox'
import { useTranslations } from 'use-intl'
import { api } from '#api/client.ts'
import { Button } from '#ui/base/button.tsx'
import { SearchField } from '#ui/form/field.tsx'
import { Segments } from '#ui/form/segments.tsx'
import { LoadState } from '#ui/layout/page.tsx'

const pageSize = 24

/** A library of a company can have more portraits of its people than all other pictures. */
const kinds = ['company', 'portraits'] as const
const filters = {
  company: { without_role: 'profile_picture' },
  portraits: { role: 'profile_picture' },
} as const

export function PictureLibrary({ onChoose }: { readonly onChoose: (asset: Asset) => void }) {
  const t = useTranslations('assets.picker')
  const [search, setSearch] = useState('')
  const [kind, setKind] = useState<(typeof kinds)[number]>('company')
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: ['assets', 'picker', kind, search],
    initialPageParam: 1,
    queryFn: async ({ pageParam, signal }) =>
      (
        await api.assets
          .list({ page: pageParam, limit: pageSize, ...filters[kind], ...(search && { search }) }, { signal })
          .raw()
      ).body,
    getNextPageParam: ({ pagination }) => (pagination.has_more ? pagination.page + 1 : undefined),
    placeholderData: keepPreviousData,
  })
  const assets = data?.pages.flatMap(page => page.data) ?? []
  return (
    <section className="grid gap-3">
      <div className="flex flex-wrap items-center gap-2">
        <SearchField label={t('search')} value={search} onChange={setSearch} className="min-w-40 flex-1" />
        <Segments
          label={t('kinds')}
          options={kinds.map(id => ({ id, label: t(id) }))}
          value={kind}
          onChange={setKind}
        />
      </div>
      <LoadState query={{ data, error, refetch }} lines={5} />
      {data && assets.length === 0 && (
        <p className="py-6 text-center text-muted">
          {search || kind === 'portraits' ? t('nothingFound') : t('empty')}
        </p>
      )}
      {assets.length > 0 && (
        <ListBox
          aria-label={t('library')}
          layout="grid"
          items={assets}
          selectionMode="none"
          onAction={id => {
            const asset = assets.find(each => each.id === id)
            if (asset) onChoose(asset)
          }}
          className="grid max-h-80 grid-cols-2 gap-2 overflow-y-auto p-0.5 sm:grid-cols-4"
        >
          {({ id, name, url, width, height }) => (
            <ListBoxItem
              id={id}
              textValue={name}
              className="min-w-0 cursor-pointer rounded-xl border border-line bg-card p-2 outline-none hover:border-edge data-focus-visible:outline-2 data-focus-visible:outline-accent"
            >
              <span className="checkered grid h-20 place-items-center overflow-hidden rounded-lg">
                <img src={url} alt="" loading="lazy" className="max-h-20 max-w-full object-contain" />
              </span>
              <span className="mt-1.5 block truncate text-xs">{name}</span>
              <span className="block text-xs text-muted">
                {width} × {height}
              </span>
            </ListBoxItem>
          )}
        </ListBox>
      )}
      {hasNextPage && (
        <Button
          isSmall
          isPending={isFetchingNextPage}
          onPress={() => void fetchNextPage()}
          className="justify-self-center"
        >
          {t('more')}
        </Button>
      )}
    </section>
  )
}
