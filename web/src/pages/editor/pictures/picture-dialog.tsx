// Chooses a picture of the library, or uploads one.
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { api, queryClient } from '../../../api/client.ts'
import { useMessageOf } from '../../../api/error-texts.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { EmptyState, LoadError, Notice, Skeleton } from '../../../ui/page.tsx'

const accepted = 'image/png,image/jpeg,image/gif,image/webp,image/svg+xml'

interface PictureDialogProps {
  readonly onChoose: (assetId: string, width: number) => void
  readonly onClose: () => void
}

export default function PictureDialog({ onChoose, onClose }: PictureDialogProps) {
  const t = useTranslations('editor.pictures')
  const messageOf = useMessageOf()
  const input = useRef<HTMLInputElement>(null)
  const [upload, setUpload] = useState<{ readonly isRunning: boolean; readonly error?: unknown }>({
    isRunning: false,
  })
  const { data, error, refetch } = useQuery({
    queryKey: ['assets', 'picker'],
    queryFn: () => api.assets.list({ limit: 100 }),
  })
  const send = async (file: File) => {
    setUpload({ isRunning: true })
    try {
      const asset = await api.assets.create({ file_base64: file, filename: file.name })
      void queryClient.invalidateQueries({ queryKey: ['assets'] })
      onChoose(asset.id, asset.width)
    } catch (failure) {
      setUpload({ isRunning: false, error: failure })
    }
  }
  return (
    <Dialog title={t('title')} isOpen onClose={onClose} size="large">
      <div className="mb-4 flex items-center gap-3">
        <Button icon="upload" isPending={upload.isRunning} onPress={() => input.current?.click()}>
          {t('upload')}
        </Button>
        <input
          ref={input}
          type="file"
          accept={accepted}
          aria-label={t('upload')}
          className="hidden"
          onChange={event => {
            const [file] = event.currentTarget.files ?? []
            if (file) void send(file)
          }}
        />
      </div>
      {upload.error !== undefined && (
        <div role="alert" className="mb-4">
          <Notice kind="bad">{messageOf(upload.error)}</Notice>
        </div>
      )}
      {error && <LoadError error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton lines={5} />}
      {data?.length === 0 && <EmptyState icon="image" title={t('empty')} />}
      <ul className="grid grid-cols-2 gap-3 sm:grid-cols-4">
        {(data ?? []).map(asset => (
          <li key={asset.id}>
            <button
              type="button"
              onClick={() => onChoose(asset.id, asset.width)}
              className="block w-full rounded-xl border border-line p-2 text-start hover:border-edge focus-visible:outline-2 focus-visible:outline-accent"
            >
              <img src={asset.url} alt="" loading="lazy" className="h-24 w-full object-contain" />
              <span className="mt-1.5 block truncate text-xs">{asset.name}</span>
            </button>
          </li>
        ))}
      </ul>
    </Dialog>
  )
}
