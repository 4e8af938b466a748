// Publishes what the editor shows: the signature, or the variant that is open. Everything is saved first.
import { type Content, fillIds } from '@signoff/render'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { areaPart } from '#records/area-part.tsx'
import { newId } from '#records/content/ids.ts'
import { refreshSignatures, signatureQuery } from '#records/signatures/signature-data.ts'
import { useMessageOf } from '#state/error-messages.ts'
import { Button } from '#ui/base/button.tsx'
import { Icon } from '#ui/base/icon.tsx'
import { toast, toastError, toastNote } from '#ui/feedback/toast.tsx'
import type { HeaderTools } from './content-editor.tsx'
import { headerMain } from './editor-header.tsx'
import { useEditor } from './kit/editor-context.ts'

const PublishDialog = areaPart(['signatures', 'installations'], async () => ({
  default: (await import('#records/publishing/publish-dialog.tsx')).PublishDialog,
}))

interface PublishButtonProps {
  readonly signatureId: string
  readonly variant: 'reply' | 'internal' | undefined
  readonly tools: HeaderTools
}

export function PublishButton({ signatureId, variant, tools }: PublishButtonProps) {
  const t = useTranslations('editor')
  const messageOf = useMessageOf()
  const { store } = useEditor()
  const [step, setStep] = useState<'saving' | Content>()
  const isOpen = typeof step === 'object'
  // Read after the last save: the dialog publishes what the service has.
  const { data: signature } = useQuery({ ...signatureQuery(signatureId), enabled: isOpen })
  const isNewest = async () => {
    const isSame = await tools.sync()
    if (!isSame) toastNote(t('changedMeanwhile'))
    return isSame
  }
  const begin = async () => {
    setStep('saving')
    try {
      const isReady = (await tools.flush()) && (await isNewest())
      if (isReady) await refreshSignatures()
      setStep(isReady ? store.getState().tree : undefined)
    } catch (error) {
      toastError(messageOf(error))
      setStep(undefined)
    }
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
      <Button
        variant="primary"
        icon="rocket"
        isPending={step === 'saving'}
        onPress={() => void begin()}
        className={headerMain}
      >
        {t('publish')}
      </Button>
      {isOpen && signature && (
        <PublishDialog
          signature={signature}
          variant={variant}
          seen={step}
          onRestore={restore}
          onPublished={() => void tools.sync()}
          onClose={() => setStep(undefined)}
        />
      )}
    </>
  )
}

// For a campaign that runs: mailboxes get the banner when the person wants it, and not while it is being written.

export function SendLiveButton({ tools: { flush, status } }: { readonly tools: HeaderTools }) {
  const t = useTranslations('editor.live')
  const [isSending, setSending] = useState(false)
  const send = async () => {
    setSending(true)
    try {
      if (await flush()) toast(t('sent'))
    } finally {
      setSending(false)
    }
  }
  return (
    <Button
      variant="primary"
      icon="send"
      isPending={isSending || status === 'saving'}
      isDisabled={status === 'saved' || status === 'conflict'}
      onPress={() => void send()}
      aria-label={t('send')}
      className={headerMain}
    >
      <span className="max-md:hidden">{t('send')}</span>
      {/* A phone needs the room for the name of the campaign. */}
      <span className="md:hidden">{t('sendShort')}</span>
    </Button>
  )
}

export function LiveNotice() {
  const t = useTranslations('editor.live')
  return (
    <p className="flex shrink-0 items-start gap-2 border-b border-line bg-accent-soft px-4 py-2 text-[0.8125rem]">
      <Icon name="info" size={16} className="mt-0.5 text-accent" />
      {t('notice')}
    </p>
  )
}
