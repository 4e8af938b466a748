// The signature as a recipient sees it: on a phone, on a dark mail, with blocked images, as plain text.
import { maxHtmlLength } from '@signoff/render'
import { useFormatter, useTranslations } from 'use-intl'
import { Badge, Skeleton } from '../../../ui/page.tsx'
import { SignatureFrame } from '../../../ui/signature-frame.tsx'
import { useEditorState } from '../editor-context.ts'
import type { CampaignChoice } from '../surroundings/banners.ts'
import type { PersonChoice } from '../surroundings/person.ts'
import { useInstalledSize } from '../surroundings/use-installed-size.ts'
import { useRendering } from '../surroundings/use-rendering.ts'
import type { PreviewMode } from './preview-modes.tsx'

interface PreviewPaneProps {
  readonly mode: Exclude<PreviewMode, 'edit'>
  readonly person: PersonChoice
  readonly campaign: CampaignChoice
  readonly signatureId: string | undefined
}

/** Clients that block images show their descriptions instead. */
const withoutImages = (html: string): string => html.replaceAll(/(<img [^>]*?)src="[^"]*"/g, '$1src=""')

const gmailLimit = 10_000

export function PreviewPane({ mode, person, campaign, signatureId }: PreviewPaneProps) {
  const t = useTranslations('editor.modes')
  const format = useFormatter()
  const { tree } = useEditorState()
  const drawing = useRendering(tree, { person, campaign, signatureId })
  const installed = useInstalledSize(tree, person, campaign)
  if (!drawing) return <Skeleton lines={6} />
  const bytes = installed ?? drawing.bytes
  return (
    <div className="grid gap-3">
      {mode === 'text' ? (
        <pre className="font-sans text-sm whitespace-pre-wrap text-black">{drawing.text}</pre>
      ) : (
        <SignatureFrame
          html={mode === 'blocked' ? withoutImages(drawing.html) : drawing.html}
          title={t(mode)}
          width={mode === 'phone' ? 360 : 620}
          isDark={mode === 'dark'}
        />
      )}
      <p>
        <Badge look={bytes > gmailLimit ? 'bad' : bytes > maxHtmlLength ? 'warn' : 'neutral'}>
          {t('size', { bytes: format.number(bytes), limit: format.number(gmailLimit) })}
        </Badge>
      </p>
    </div>
  )
}
