import { type Content, fillIds } from '@signoff/render'
import type { SignatureVersionListItem } from '@signoff/sdk'
import { useMemo } from 'react'
import { useTranslations } from 'use-intl'
import { useCan } from '#api/session.ts'
import { newId } from '#records/content/ids.ts'
import { type BlockChange, changesBetween } from '#records/versions/content-changes.ts'
import { useVersionContent } from '#records/versions/use-versions.ts'
import { Button } from '#ui/base/button.tsx'
import { toast } from '#ui/feedback/toast.tsx'
import { Badge, Skeleton } from '#ui/layout/page.tsx'
import { Actions } from '#ui/overlay/dialog.tsx'
import { SignatureFrame } from '#ui/picture/signature-frame.tsx'
import { useBlockName } from '../blocks/block-names.ts'
import { useEditor, useEditorState } from '../kit/editor-context.ts'
import { blockOf } from '../model/tree.ts'
import { blockMarks } from '../rendering/marks.ts'
import { type RenderingOptions, useRendering } from '../rendering/use-rendering.ts'

interface VersionBesideDraftProps {
  readonly signatureId: string
  readonly version: SignatureVersionListItem
  readonly view: RenderingOptions
  readonly onClose: () => void
}

export function VersionBesideDraft({ signatureId, version, view, onClose }: VersionBesideDraftProps) {
  const t = useTranslations('editor.versions')
  const messages = useTranslations('signatures')
  const can = useCan()
  const { store } = useEditor()
  const { tree } = useEditorState()
  const stored = useVersionContent(signatureId, version.id)
  const content = useMemo(() => stored && fillIds(stored as unknown as Content, newId), [stored])
  const changes = useMemo(() => (content ? changesBetween(content, tree) : undefined), [content, tree])
  const { number } = version
  const use = () => {
    if (!content) return
    store.change(() => content, { select: [] })
    onClose()
    const undo = () => {
      if (store.getState().tree === content) store.undo()
    }
    toast(t('used', { number }), { action: { label: t('undo'), onPress: undo } })
  }
  const ids = new Set(changes?.map(({ id }) => id))
  const sides = [
    { name: messages('versionNumber', { number }), content },
    { name: messages('sources.draft'), content: tree },
  ]
  return (
    <div className="min-w-0">
      <div className="grid gap-4 lg:grid-cols-2">
        {sides.map(side => (
          <figure key={side.name} className="min-w-0 rounded-xl border border-line">
            <figcaption className="border-b border-line px-4 py-2 text-[0.8125rem] font-medium">
              {side.name}
            </figcaption>
            <div className="rounded-b-xl bg-white p-4">
              {side.content ? (
                <MarkedSignature tree={side.content} ids={ids} view={view} title={side.name} />
              ) : (
                <Skeleton lines={4} />
              )}
            </div>
          </figure>
        ))}
      </div>
      {changes && content && <Differences changes={changes} version={content} />}
      {can('signatures:write') && (
        <Actions>
          <Button
            variant="primary"
            icon="rotate-ccw"
            isDisabled={!content || changes?.length === 0}
            onPress={use}
          >
            {t('use', { number })}
          </Button>
        </Actions>
      )}
    </div>
  )
}

interface MarkedSignatureProps {
  readonly tree: Content
  readonly ids: ReadonlySet<string>
  readonly view: RenderingOptions
  readonly title: string
}

function MarkedSignature({ tree, ids, view, title }: MarkedSignatureProps) {
  const drawing = useRendering(tree, { ...view, marks: blockMarks })
  if (!drawing) return <Skeleton lines={4} />
  return <SignatureFrame html={withDifferences(drawing.html, ids)} title={title} />
}

const variants = { added: 'good', removed: 'warn', changed: 'accent', moved: 'neutral' } as const

interface DifferencesProps {
  readonly changes: readonly BlockChange[]
  readonly version: Content
}

function Differences({ changes, version }: DifferencesProps) {
  const t = useTranslations('editor.versions')
  const { tree } = useEditorState()
  const blockName = useBlockName()
  return (
    <section className="mt-5">
      <h3 className="font-medium">{t('differences', { count: changes.length })}</h3>
      <ul className="mt-2 grid max-h-44 gap-1.5 overflow-y-auto">
        {changes.map(({ id, change }) => {
          const block = blockOf(tree, id) ?? blockOf(version, id)
          return (
            <li key={`${change}-${id}`} className="flex flex-wrap items-center gap-2 text-[0.8125rem]">
              <Badge variant={variants[change]}>{t(`kinds.${change}`)}</Badge>
              <span className="min-w-0 truncate">{block && blockName(block)}</span>
            </li>
          )
        })}
      </ul>
    </section>
  )
}

// Draws a line around the blocks that differ, in HTML whose blocks have marks.

const line = 'outline:2px solid #4f46e5;outline-offset:-1px;'

/** A cell with the marks of the blocks that begin in it. All cells of the renderer have a style. */
const cell = /(<td\b[^>]*? style=")([^"]*"[^>]*>)((?:<!--block [^>]*-->)+)/g
const mark = /<!--block (.+?)-->/g
const comment = /<!--[\s\S]*?-->/g

/** Without any marks: only the lines are left. */
const withDifferences = (html: string, ids: ReadonlySet<string>): string =>
  html
    .replace(cell, (whole, before: string, after: string, marks: string) =>
      [...marks.matchAll(mark)].some(([, id]) => ids.has(id ?? '')) ? before + line + after + marks : whole,
    )
    .replace(comment, '')
