import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { areaPart } from '#records/area-part.tsx'
import { IconButton } from '#ui/base/button.tsx'
import type { RenderingOptions } from '../surroundings/use-rendering.ts'

const VersionsDialog = areaPart(['signatures'], () => import('./versions-dialog.tsx'))

interface VersionsButtonProps {
  readonly signatureId: string
  readonly view: RenderingOptions
}

export function VersionsButton(props: VersionsButtonProps) {
  const t = useTranslations('editor.versions')
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <IconButton icon="history" label={t('open')} onPress={() => setOpen(true)} />
      {isOpen && <VersionsDialog {...props} onClose={() => setOpen(false)} />}
    </>
  )
}
