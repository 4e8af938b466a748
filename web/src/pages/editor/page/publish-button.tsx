// Publishes what the editor shows: the signature, or the variant that is open. Everything is saved first.
import { type Content, fillIds } from '@signoff/render'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { areaPart } from '../../../app/area-page.tsx'
import { Button } from '../../../ui/button.tsx'
import { toast } from '../../../ui/toast.tsx'
import { refreshSignatures, signatureQuery } from '../../signatures/signature-data.ts'
import { useEditor } from '../editor-context.ts'
import { newId } from '../model/ids.ts'
import type { HeaderTools } from './content-editor.tsx'

const PublishDialog = areaPart(['signatures'], () => import('../../signatures/publish/publish-dialog.tsx'))

interface PublishButtonProps {
  readonly signatureId: string
  readonly variant: 'reply' | 'internal' | undefined
  readonly tools: HeaderTools
}

export function PublishButton({ signatureId, variant, tools }: PublishButtonProps) {
  const t = useTranslations('editor')
  const { store } = useEditor()
  const [step, setStep] = useState<'saving' | 'open'>()
  // Read after the last save: the dialog publishes what the service has.
  const { data: signature } = useQuery({ ...signatureQuery(signatureId), enabled: step === 'open' })
  const begin = async () => {
    setStep('saving')
    const isSaved = await tools.flush()
    if (isSaved) await refreshSignatures()
    setStep(isSaved ? 'open' : undefined)
  }
  const isShown = useRef(true)
  useEffect(() => {
    isShown.current = true
    return () => {
      isShown.current = false
    }
  }, [])
  const restore = (content: unknown): boolean => {
    // The message with the way back stays when the editor is left.
    if (!isShown.current) return false
    store.change(() => fillIds(content as Content, newId), { select: [] })
    toast(t('previousRestored'))
    return true
  }
  return (
    <>
      <Button look="primary" icon="rocket" isPending={step === 'saving'} onPress={() => void begin()}>
        {t('publish')}
      </Button>
      {step === 'open' && signature && (
        <PublishDialog
          signature={signature}
          variant={variant}
          onRestore={restore}
          onPublished={() => void tools.sync()}
          onClose={() => setStep(undefined)}
        />
      )}
    </>
  )
}
