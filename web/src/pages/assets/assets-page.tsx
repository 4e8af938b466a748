import type { Asset } from '@signoff/sdk'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { DropZone, type DropZoneProps } from 'react-aria-components/DropZone'
import { FileTrigger } from 'react-aria-components/FileTrigger'
import { useTranslations } from 'use-intl'
import { api } from '#api/client.ts'
import { useCan } from '#api/session.tsx'
import { type ImageRole, roleIds } from '#records/assets/roles.ts'
import { useAddressState } from '#state/address-state.ts'
import { Button } from '#ui/button.tsx'
import { SearchField } from '#ui/field.tsx'
import { FilterSelect } from '#ui/filter-select.tsx'
import { imageTypes } from '#ui/image-types.ts'
import { EmptyState, LoadError, Page, Skeleton } from '#ui/page.tsx'
import { AssetDialog } from './asset-dialog.tsx'
import { AssetGrid } from './asset-grid.tsx'
import { UploadList } from './upload-list.tsx'
import { useUploads } from './use-uploads.ts'

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
      <Button look="primary" icon="upload">
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
        {error && <LoadError error={error} onRetry={() => void refetch()} />}
        {!data && !error && <Skeleton lines={6} />}
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
