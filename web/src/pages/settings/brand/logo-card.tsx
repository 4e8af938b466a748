import { useMutation, useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { DropZone } from 'react-aria-components/DropZone'
import { FileTrigger } from 'react-aria-components/FileTrigger'
import { useTranslations } from 'use-intl'
import { api, queryClient } from '#api/client.ts'
import { useCan } from '#api/session.ts'
import { useMessageOf } from '#state/error-messages.ts'
import { Button } from '#ui/base/button.tsx'
import { toast, toastError } from '#ui/feedback/toast.tsx'
import { Card, Skeleton } from '#ui/layout/page.tsx'
import { imageTypes } from '#ui/picture/image-types.ts'
import type { BrandPartProps } from './parts.ts'

/** Larger files are named: mails get a small version of them. */
const largeBytes = 1024 * 1024

function useUpload(onDone: (id: string) => void) {
  const messageOf = useMessageOf()
  const t = useTranslations('settings.brand')
  const newest = useRef<File>(null)
  return useMutation({
    mutationFn: async (file: File) => {
      newest.current = file
      return api.assets.create({ file_base64: file, filename: file.name, role: 'company_logo' })
    },
    onSuccess: (asset, file) => {
      // Another file was chosen while this one was uploaded.
      if (newest.current !== file) return
      if (file.size > largeBytes) toast(t('largeLogo', { size: file.size / largeBytes }))
      queryClient.setQueryData(['assets', asset.id], asset)
      void queryClient.invalidateQueries({ queryKey: ['assets', 'list'] })
      onDone(asset.id)
    },
    onError: error => toastError(messageOf(error)),
  })
}

/** On a light and on a dark mail: a dark logo without a background disappears on one of them. */
function LogoPictures({ id }: { readonly id: string }) {
  const t = useTranslations('settings.brand')
  const { data } = useQuery({ queryKey: ['assets', id], queryFn: () => api.assets.get(id) })
  if (!data) return <Skeleton lines={3} />
  return (
    <div className="grid grid-cols-2 gap-3">
      {(['light', 'dark'] as const).map(paper => (
        <figure key={paper} className="min-w-0">
          <div
            className="grid h-28 place-items-center rounded-xl border border-line p-4"
            style={{ background: paper === 'light' ? '#ffffff' : '#1b1b1b' }}
          >
            <img src={data.url} alt={t('logoAlt')} className="max-h-20 max-w-full object-contain" />
          </div>
          <figcaption className="mt-1 text-xs text-muted">{t(`papers.${paper}`)}</figcaption>
        </figure>
      ))}
    </div>
  )
}

export function LogoCard({ draft, change, isReadOnly }: BrandPartProps) {
  const t = useTranslations('settings.brand')
  const can = useCan()
  const upload = useUpload(id => change({ logo_asset_id: id }))
  const canUpload = !isReadOnly && can('assets:write')
  const take = (file: File | undefined | null) => file && upload.mutate(file)
  return (
    <Card title={t('logo')} about={t('logoAbout')}>
      <div className="grid gap-4">
        {draft.logo_asset_id !== null && <LogoPictures id={draft.logo_asset_id} />}
        {canUpload && (
          <DropZone
            aria-label={t('dropLogo')}
            getDropOperation={types => (imageTypes.some(type => types.has(type)) ? 'copy' : 'cancel')}
            onDrop={async ({ items }) => {
              const item = items.find(each => each.kind === 'file')
              take(item?.kind === 'file' ? await item.getFile() : null)
            }}
            className="flex flex-wrap items-center justify-center gap-3 rounded-xl border border-dashed border-edge/60 p-4 text-[0.8125rem] text-muted data-drop-target:border-accent data-drop-target:bg-accent-soft"
          >
            <FileTrigger acceptedFileTypes={imageTypes} onSelect={files => take(files?.[0])}>
              <Button icon="upload" isPending={upload.isPending}>
                {t(draft.logo_asset_id === null ? 'uploadLogo' : 'replaceLogo')}
              </Button>
            </FileTrigger>
            <span>{t('dropHint')}</span>
            {draft.logo_asset_id !== null && (
              <Button variant="quiet" icon="trash-2" onPress={() => change({ logo_asset_id: null })}>
                {t('removeLogo')}
              </Button>
            )}
          </DropZone>
        )}
      </div>
    </Card>
  )
}
