// `/campaigns/{id}/edit`: the editor of a campaign's banner; `?variant=` names one of several.
import { useParams } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useTranslations } from 'use-intl'
import { useAddressState } from '#state/address-state.ts'
import { LinkButton } from '#ui/base/button.tsx'
import { ContentEditor } from './content-editor.tsx'
import { headerMain } from './editor-header.tsx'
import { SendLiveButton } from './header-buttons.tsx'
import { usePreviewState } from './rendering/preview-state.tsx'
import { bannerTarget } from './saving/targets.ts'

export default function BannerEditorPage() {
  const { id } = useParams({ strict: false }) as { id: string }
  const [{ variant }] = useAddressState<'variant'>()
  const target = useMemo(() => bannerTarget(id, variant || undefined), [id, variant])
  const preview = usePreviewState('campaign')
  const t = useTranslations('editor')
  return (
    <ContentEditor
      target={target}
      backTo={`/campaigns/${id}`}
      preview={preview}
      main={tools =>
        tools.isLive ? (
          <SendLiveButton tools={tools} />
        ) : (
          <LinkButton variant="primary" icon="check" to={`/campaigns/${id}`} className={headerMain}>
            {t('done')}
          </LinkButton>
        )
      }
    />
  )
}
