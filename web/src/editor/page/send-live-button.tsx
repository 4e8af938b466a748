// For a campaign that runs: mailboxes get the banner when the person wants it, and not while it is being written.
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { Button } from '#ui/base/button.tsx'
import { Icon } from '#ui/base/icon.tsx'
import { toast } from '#ui/feedback/toast.tsx'
import type { HeaderTools } from './content-editor.tsx'
import { headerMain } from './editor-header.tsx'

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
