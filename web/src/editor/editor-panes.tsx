// The three panes: outline and palette, canvas, inspector.
import type { RenderedPerson } from '@signoff/sdk'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useMemo, useState } from 'react'
import { useTranslations } from 'use-intl'
import { classes } from '#ui/base/classes.ts'
import { Skeleton } from '#ui/layout/page.tsx'
import { EditorMenus } from './actions/editor-menus.tsx'
import type { PlaceholderMessages } from './blocks/descriptor.ts'
import { Canvas, CanvasCard } from './canvas/canvas.tsx'
import { isAroundCanvas, pressNothing } from './canvas/press-block.ts'
import { usePictures } from './canvas/use-pictures.tsx'
import { InspectorContext } from './inputs/inspector-data.ts'
import { Inspector } from './inspector/inspector.tsx'
import { useDragState, useEditor, useEditorState, useSheet } from './kit/editor-context.ts'
import { keepsTextOpen } from './kit/focus.ts'
import { type BesideKinds, KindsLayout } from './panels/kinds-layout.tsx'
import { Outline } from './panels/outline.tsx'
import { Palette } from './panels/palette.tsx'
import { blockMarks } from './rendering/marks.ts'
import { useShownPreview } from './rendering/preview-state.tsx'
import { SignatureView } from './rendering/signature-view.tsx'
import { useRendering } from './rendering/use-rendering.ts'
import { type PersonChoice, renderedPersonQuery, useWorkspaceParts } from './rendering/workspace-queries.ts'
import { Sheet, SheetBar } from './sheets.tsx'
import { type FieldText, fieldTextFrom, type TextFields } from './text/field-text.ts'
import type { TextSession } from './text/text-session.ts'

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

function usePlaceholders(labels: ReadonlyMap<string, string>): PlaceholderMessages {
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

const noValues: RenderedPerson['values'] = []

/** The same function until the person or the fields change. */
function useFieldText(person: PersonChoice, signatureId: string | undefined, fields: TextFields): FieldText {
  const { data } = useQuery(renderedPersonQuery(person, signatureId))
  const values = data?.values ?? noValues
  return useMemo(() => fieldTextFrom(fields, values), [fields, values])
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

/** The name of the dragged block, beside the pointer. */
function DragLabel() {
  const drag = useDragState()
  if (!drag) return null
  return (
    <div
      aria-hidden="true"
      data-drag-label=""
      className="pointer-events-none fixed z-50 rounded-lg bg-ink px-2.5 py-1 text-[0.8125rem] text-paper shadow-floating"
      style={{ left: drag.x + 12, top: drag.y + 12, opacity: drag.spot ? 1 : 0.6 }}
    >
      {drag.label}
    </div>
  )
}
