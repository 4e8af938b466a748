import type { Asset } from '@signoff/sdk'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { DropZone, type DropZoneProps } from 'react-aria-components/DropZone'
import { FileTrigger } from 'react-aria-components/FileTrigger'
import { useFormatter, useTranslations } from 'use-intl'
import { api } from '#api/client.ts'
import { useCan } from '#api/session.ts'
import { type ImageRole, roleIds } from '#records/assets/roles.ts'
import { useAddressState } from '#state/address-state.ts'
import { Button } from '#ui/base/button.tsx'
import { onDemand } from '#ui/base/on-demand.tsx'
import { SearchField } from '#ui/form/field.tsx'
import { FilterSelect } from '#ui/form/filter-select.tsx'
import { Badge, EmptyState, LoadState, Page } from '#ui/layout/page.tsx'
import { imageTypes } from '#ui/picture/image-types.ts'
import { UploadList } from './upload-list.tsx'
import { useUploads } from './use-uploads.ts'

const AssetDialog = onDemand(() => import('./asset-dialog.tsx'))

const AssetCard = ({ asset, onOpen }: { readonly asset: Asset; readonly onOpen: () => void }) => {
  const t = useTranslations('assets')
  const format = useFormatter()
  return (
    <li>
      <button
        type="button"
        onClick={onOpen}
        className="group block w-full overflow-hidden rounded-2xl border border-line bg-card text-start hover:border-edge"
      >
        <span className="checkered grid h-36 place-items-center overflow-hidden p-3">
          <img
            src={asset.url}
            alt=""
            loading="lazy"
            decoding="async"
            className="max-h-full max-w-full object-contain"
          />
        </span>
        <span className="block border-t border-line p-3">
          <span className="block truncate font-medium">{asset.name}</span>
          <span className="mt-1 flex flex-wrap items-center gap-1.5 text-xs text-muted">
            {format.number(asset.width)} × {format.number(asset.height)}
            {asset.role !== null && <Badge>{t(`roles.${asset.role}`)}</Badge>}
            {asset.in_use && (
              <Badge variant="good">
                {asset.signature_template_count > 0
                  ? t('inSignatures', { count: asset.signature_template_count })
                  : t('inUse')}
              </Badge>
            )}
          </span>
        </span>
      </button>
    </li>
  )
}

interface AssetGridProps {
  readonly assets: readonly Asset[]
  readonly onOpen: (asset: Asset) => void
}

const AssetGrid = ({ assets, onOpen }: AssetGridProps) => (
  <ul className="grid grid-cols-2 gap-3 sm:grid-cols-3 lg:grid-cols-4 xl:grid-cols-5">
    {assets.map(asset => (
      <AssetCard key={asset.id} asset={asset} onOpen={() => onOpen(asset)} />
    ))}
  </ul>
)

const pageSize = 60

function useAssets(search: string, role: string | undefined) {
  return useInfiniteQuery({
    queryKey: ['assets', 'list', { search, role }],
    initialPageParam: 1,
    queryFn: async ({ pageParam, signal }) => {
      const filters = {
        ...(search !== '' && { search }),
        ...(role !== undefined && { role: role as ImageRole }),
      }
      return (await api.assets.list({ page: pageParam, limit: pageSize, ...filters }, { signal }).raw()).body
    },
    getNextPageParam: ({ pagination }) => (pagination.has_more ? pagination.page + 1 : undefined),
    placeholderData: keepPreviousData,
  })
}

type DropEvent = Parameters<NonNullable<DropZoneProps['onDrop']>>[0]

const filesOf = ({ items }: DropEvent): Promise<File[]> =>
  Promise.all(items.flatMap(item => (item.kind === 'file' ? [item.getFile()] : [])))

/** The whole page takes files; without the right to add some, it is a plain box. */
const DropArea = ({
  onFiles,
  children,
}: {
  onFiles: ((files: File[]) => void) | undefined
  children: ReactNode
}) => {
  const t = useTranslations('assets')
  if (!onFiles) return <div>{children}</div>
  return (
    <DropZone
      aria-label={t('dropHere')}
      onDrop={event => void filesOf(event).then(onFiles)}
      className="rounded-2xl outline-offset-8 data-drop-target:outline-2 data-drop-target:outline-accent data-drop-target:outline-dashed"
    >
      {children}
    </DropZone>
  )
}

const UploadButton = ({ onFiles }: { readonly onFiles: (files: File[]) => void }) => {
  const t = useTranslations('assets')
  return (
    <FileTrigger
      allowsMultiple
      acceptedFileTypes={imageTypes}
      onSelect={files => onFiles([...(files ?? [])])}
    >
      <Button variant="primary" icon="upload">
        {t('upload')}
      </Button>
    </FileTrigger>
  )
}

export default function AssetsPage() {
  const t = useTranslations('assets')
  const mayAdd = useCan()('assets:write')
  const [{ search = '', role }, setState] = useAddressState<'search' | 'role'>()
  const [opened, setOpened] = useState<Asset>()
  const { uploads, add, dismiss } = useUploads()
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useAssets(search, role)
  const assets = data?.pages.flatMap(page => page.data) ?? []
  const isFiltered = search !== '' || role !== undefined
  return (
    <Page title={t('title')} about={t('about')} actions={mayAdd && <UploadButton onFiles={add} />}>
      <DropArea onFiles={mayAdd ? add : undefined}>
        <div className="mb-5 flex flex-wrap gap-2">
          <SearchField
            label={t('search')}
            value={search}
            onChange={text => setState({ search: text })}
            className="w-full sm:w-72"
          />
          <FilterSelect
            label={t('role')}
            value={role ?? 'all'}
            onChange={id => setState({ role: id === 'all' ? undefined : id })}
            options={(['all', ...roleIds] as const).map(id => ({ id, label: t(`roles.${id}`) }))}
            className="w-44"
          />
        </div>
        <UploadList uploads={uploads} onDismiss={dismiss} />
        <LoadState query={{ data, error, refetch }} lines={6} />
        {data && assets.length === 0 && (
          <EmptyState
            icon="image"
            title={isFiltered ? t('nothingFound') : t('emptyTitle')}
            action={mayAdd && !isFiltered && <UploadButton onFiles={add} />}
          >
            {!isFiltered && t('emptyText')}
          </EmptyState>
        )}
        <AssetGrid assets={assets} onOpen={setOpened} />
        {hasNextPage && (
          <div className="mt-5 text-center">
            <Button isPending={isFetchingNextPage} onPress={() => void fetchNextPage()}>
              {t('more')}
            </Button>
          </div>
        )}
      </DropArea>
      {opened && <AssetDialog key={opened.id} asset={opened} onClose={() => setOpened(undefined)} />}
    </Page>
  )
}
