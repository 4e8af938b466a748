// For a campaign that runs: mailboxes get the banner when the person wants it, and not while it is being written.
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { Button } from '../../../ui/button.tsx'
import { Notice } from '../../../ui/page.tsx'
import { toast } from '../../../ui/toast.tsx'
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
      look="primary"
      icon="send"
      isPending={isSending || status === 'saving'}
      isDisabled={status === 'saved' || status === 'conflict'}
      onPress={() => void send()}
      className={headerMain}
    >
      {t('send')}
    </Button>
  )
}

export function LiveNotice() {
  const t = useTranslations('editor.live')
  return (
    <div className="shrink-0 px-4 pt-3">
      <Notice kind="info">{t('notice')}</Notice>
    </div>
  )
}
