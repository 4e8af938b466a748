// The three panes: outline and palette, canvas, inspector.
import { lazy, type ReactNode, Suspense, useMemo, useState } from 'react'
import { useTranslations } from 'use-intl'
import { Skeleton } from '../../../ui/page.tsx'
import { Canvas } from '../canvas/canvas.tsx'
import { blockMarks } from '../canvas/marks.ts'
import { DragLabel } from '../drag/drag-label.tsx'
import { useEditor, useEditorState } from '../editor-context.ts'
import { Inspector } from '../inspector/inspector.tsx'
import { InspectorContext } from '../inspector/inspector-data.ts'
import { idOf } from '../model/block.ts'
import { newId } from '../model/ids.ts'
import { insertBlocks, setProperties } from '../model/operations.ts'
import { placeFor } from '../model/place.ts'
import { Outline } from '../outline/outline.tsx'
import { Palette } from '../palette/palette.tsx'
import type { PreviewMode } from '../preview/preview-modes.tsx'
import { PreviewPane } from '../preview/preview-pane.tsx'
import type { CampaignChoice } from '../surroundings/banners.ts'
import type { PersonChoice } from '../surroundings/person.ts'
import type { PlaceholderTexts } from '../surroundings/placeholders.ts'
import { useRendering } from '../surroundings/use-rendering.ts'
import type { TextSession } from '../text/text-session.ts'
import { keepsTextOpen } from '../text/use-end-outside.ts'
import { useFieldText } from '../text/use-field-text.ts'
import { useWorkspaceParts } from './workspace-parts.ts'

const PictureDialog = lazy(() => import('../pictures/picture-dialog.tsx'))

interface EditorPanesProps {
  readonly signatureId: string | undefined
  readonly person: PersonChoice
  readonly campaign: CampaignChoice
  readonly mode: PreviewMode
  /** Beside the canvas where there is room, else above it. */
  readonly beside?: ReactNode
  /** Below the canvas. */
  readonly children?: ReactNode
}

/** Undefined: a new image block. */
type PictureTarget = { readonly blockId: string | undefined }

function usePlaceholders(labels: ReadonlyMap<string, string>): PlaceholderTexts {
  const t = useTranslations('editor.placeholders')
  return useMemo(
    () => ({
      dropHere: t('dropHere'),
      emptyText: t('emptyText'),
      banner: t('banner'),
      fieldLabel: id => labels.get(id),
    }),
    [t, labels],
  )
}

export function EditorPanes({ signatureId, person, campaign, mode, beside, children }: EditorPanesProps) {
  const t = useTranslations('editor')
  const { store } = useEditor()
  const { tree } = useEditorState()
  const { brand, fields, labels, brandColors, campaigns } = useWorkspaceParts()
  const [session, setSession] = useState<TextSession>()
  const [pictureFor, setPictureFor] = useState<PictureTarget>()
  const placeholders = usePlaceholders(labels)
  const drawing = useRendering(tree, { person, campaign, signatureId, marks: blockMarks, placeholders })
  const fieldText = useFieldText(person, signatureId, fields)
  const usePicture = (assetId: string, width: number) => {
    const size = { assetUuid: assetId, width: Math.min(width, 320) }
    const target = pictureFor?.blockId
    setPictureFor(undefined)
    if (target !== undefined) {
      store.change(root =>
        setProperties(root, target, { assetUuid: assetId, smartFieldUuid: undefined, src: undefined }),
      )
      return
    }
    const block = { type: 'image' as const, id: newId(), alt: '', ...size }
    const place = placeFor(store.getState().tree, store.getState().selection.at(-1), [block], store.kind)
    if (place) store.change(root => insertBlocks(root, place, [block]), { select: [idOf(block)] })
  }
  const inspector = useMemo(
    () => ({
      brand,
      brandColors,
      fields,
      campaigns,
      onChoosePicture: (blockId: string) => setPictureFor({ blockId }),
    }),
    [brand, brandColors, fields, campaigns],
  )
  return (
    <InspectorContext value={inspector}>
      <div className="grid min-h-0 flex-1 grid-cols-1 md:grid-cols-[15rem_minmax(0,1fr)_18rem]">
        <aside
          aria-label={t('outline.label')}
          className="grid grid-cols-1 content-start gap-4 overflow-x-hidden overflow-y-auto border-e border-line p-3"
        >
          <Palette
            brand={brand}
            fields={fields}
            onChoosePicture={() => setPictureFor({ blockId: undefined })}
          />
          <Outline />
        </aside>
        <div
          data-canvas-pane=""
          className="flex min-w-0 flex-wrap content-start items-start justify-center gap-x-6 overflow-auto bg-sunken p-6"
        >
          {beside}
          <div className="mx-auto w-fit min-w-80 max-w-full overflow-x-auto rounded-xl bg-white p-6 shadow-raised">
            {mode !== 'edit' ? (
              <PreviewPane mode={mode} person={person} campaign={campaign} signatureId={signatureId} />
            ) : drawing ? (
              <Canvas html={drawing.html} fieldText={fieldText} session={session} onSession={setSession} />
            ) : (
              <Skeleton lines={6} />
            )}
          </div>
          <div className="w-full">{children}</div>
        </div>
        <aside
          aria-label={t('inspector.title')}
          {...keepsTextOpen}
          className="overflow-y-auto border-s border-line p-4"
        >
          <Inspector session={session} />
        </aside>
      </div>
      <DragLabel />
      <Suspense fallback={null}>
        {pictureFor && <PictureDialog onChoose={usePicture} onClose={() => setPictureFor(undefined)} />}
      </Suspense>
    </InspectorContext>
  )
}
