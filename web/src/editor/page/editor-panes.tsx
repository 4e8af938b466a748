// The three panes: outline and palette, canvas, inspector.
import { type ReactNode, useEffect, useMemo, useState } from 'react'
import { useTranslations } from 'use-intl'
import { classes } from '#ui/base/classes.ts'
import { Skeleton } from '#ui/layout/page.tsx'
import { Canvas } from '../canvas/canvas.tsx'
import { CanvasCard } from '../canvas/canvas-card.tsx'
import { blockMarks } from '../canvas/marks.ts'
import { DragLabel } from '../drag/drag-label.tsx'
import { isAroundCanvas, pressNothing } from '../drag/press-block.ts'
import { useEditor, useEditorState, useSheet } from '../editor-context.ts'
import { Inspector } from '../inspector/inspector.tsx'
import { InspectorContext } from '../inspector/inspector-data.ts'
import { type BesideKinds, KindsLayout } from '../kinds/kinds-layout.tsx'
import { EditorMenus } from '../menus/editor-menus.tsx'
import { Outline } from '../outline/outline.tsx'
import { Palette } from '../palette/palette.tsx'
import { usePictures } from '../pictures/use-pictures.tsx'
import { useShownPreview } from '../preview/preview-state.ts'
import { SignatureView } from '../preview/signature-view.tsx'
import type { PlaceholderTexts } from '../surroundings/placeholders.ts'
import { useRendering } from '../surroundings/use-rendering.ts'
import type { TextSession } from '../text/text-session.ts'
import { keepsTextOpen } from '../text/use-end-outside.ts'
import { useFieldText } from '../text/use-field-text.ts'
import { Sheet, SheetBar } from './sheets.tsx'
import { useWorkspaceParts } from './workspace-parts.ts'

interface EditorPanesProps {
  /** Above the canvas. */
  readonly bar: ReactNode
  /** The other kinds of mail. */
  readonly beside: BesideKinds | undefined
  /** The signature that was pasted: beside the canvas where there is room, else above it. */
  readonly original?: ReactNode
  /** Below the canvas. */
  readonly children?: ReactNode
}

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

/** Says when the first drawing is on the screen. */
function usePaint(isDrawn: boolean, setPainted: (isPainted: boolean) => void): void {
  useEffect(() => {
    if (!isDrawn) return
    let timer: ReturnType<typeof setTimeout> | undefined
    const frame = requestAnimationFrame(() => {
      timer = setTimeout(() => setPainted(true))
    })
    return () => {
      cancelAnimationFrame(frame)
      clearTimeout(timer)
    }
  }, [isDrawn, setPainted])
}

export function EditorPanes({ bar, original, beside, children }: EditorPanesProps) {
  const t = useTranslations('editor')
  const parts = useEditor()
  const { tree } = useEditorState()
  const { mode, person, campaign, signatureId, drawing: sent, setPainted } = useShownPreview()
  const { brand, fields, labels, brandColors, campaigns } = useWorkspaceParts()
  const isSheetOpen = useSheet() !== undefined
  const [session, setSession] = useState<TextSession>()
  const pictures = usePictures()
  const placeholders = usePlaceholders(labels)
  const drawing = useRendering(tree, { person, campaign, signatureId, marks: blockMarks, placeholders })
  usePaint(drawing !== undefined, setPainted)
  const fieldText = useFieldText(person, signatureId, fields)
  const inspector = useMemo(
    () => ({
      brand,
      brandColors,
      fields,
      campaigns,
      onPicture: pictures.open,
    }),
    [brand, brandColors, fields, campaigns, pictures.open],
  )
  return (
    <InspectorContext value={inspector}>
      <div className="grid flex-1 grid-cols-1 max-md:content-start md:min-h-0 md:grid-cols-[16rem_minmax(0,1fr)_18rem]">
        <aside
          aria-label={t('outline.label')}
          data-pane="blocks"
          className="flex min-h-0 flex-col md:border-e md:border-line"
        >
          <Sheet
            name="add"
            className="shrink-0 md:max-h-1/2 md:overflow-y-auto md:border-b md:border-line md:p-2"
          >
            <Palette />
          </Sheet>
          <Sheet
            name="blocks"
            className="md:min-h-0 md:flex-1 md:overflow-x-hidden md:overflow-y-auto md:p-2"
          >
            <Outline />
          </Sheet>
        </aside>
        <div data-pane="canvas" className="flex min-h-0 min-w-0 flex-col">
          {bar}
          <div
            data-canvas-pane=""
            onPointerDown={event => isAroundCanvas(event) && pressNothing(event, parts)}
            className={classes(
              'min-w-0 flex-1 overflow-auto bg-sunken p-6 max-md:p-3',
              // The canvas can be scrolled above an open sheet.
              isSheetOpen ? 'max-md:pb-[60dvh]' : 'max-md:pb-24',
            )}
          >
            <KindsLayout beside={beside} below={children}>
              <div
                className={classes(
                  'flex flex-wrap items-start justify-center gap-x-6',
                  Boolean(original) && '2xl:flex-nowrap',
                )}
              >
                {original}
                {mode !== 'edit' && sent ? (
                  <SignatureView drawing={sent} mode={mode} />
                ) : (
                  <CanvasCard>
                    {mode === 'edit' && drawing ? (
                      <Canvas
                        html={drawing.html}
                        fieldText={fieldText}
                        session={session}
                        onSession={setSession}
                      />
                    ) : (
                      <Skeleton lines={6} />
                    )}
                  </CanvasCard>
                )}
              </div>
            </KindsLayout>
          </div>
        </div>
        <aside
          aria-label={t('inspector.title')}
          {...keepsTextOpen}
          data-pane="properties"
          className="md:overflow-y-auto md:border-s md:border-line md:p-4"
        >
          <Sheet name="properties">
            <Inspector session={session} />
          </Sheet>
        </aside>
      </div>
      <SheetBar />
      <EditorMenus />
      <DragLabel />
      {pictures.dialog}
    </InspectorContext>
  )
}
