// A signature as a recipient sees it: on a phone, on a dark mail, with blocked images, as plain text.
import { mailPapers } from '@signoff/render'
import { useTranslations } from 'use-intl'
import { classes } from '#ui/base/classes.ts'
import { SignatureFrame } from '#ui/picture/signature-frame.tsx'
import type { Drawing } from './draw.ts'
import type { PreviewMode } from './preview-state.tsx'

interface SignatureViewProps {
  readonly drawing: Drawing
  readonly mode: Exclude<PreviewMode, 'edit'>
}

/** Clients that block images show their descriptions instead. */
export const withoutImages = (html: string): string =>
  html.replaceAll(/(<img [^>]*?)src="[^"]*"/g, '$1src=""')

export function SignatureView({ drawing, mode }: SignatureViewProps) {
  const t = useTranslations('editor.modes')
  const isDark = mode === 'dark'
  return (
    <div
      className={classes(
        'mx-auto max-w-full rounded-xl p-6 shadow-raised',
        mode === 'phone' ? 'w-[24.5rem] px-4' : 'w-full',
      )}
      // The paper of a mail, in light and dark themes of the dashboard.
      style={{
        background: mailPapers[isDark ? 'dark' : 'light'],
        maxWidth: mode === 'phone' ? undefined : '42rem',
      }}
    >
      {mode === 'text' ? (
        <pre className="font-sans text-sm whitespace-pre-wrap text-black">{drawing.text.trim()}</pre>
      ) : (
        <SignatureFrame
          html={mode === 'blocked' ? withoutImages(drawing.html) : drawing.html}
          title={t(mode)}
          width={mode === 'phone' ? 360 : 620}
          isDark={isDark}
        />
      )}
    </div>
  )
}
