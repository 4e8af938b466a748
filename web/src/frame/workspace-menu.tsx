import { useTranslations } from 'use-intl'
import { switchWorkspace } from '#api/client.ts'
import { useMe } from '#api/session.ts'
import { Icon } from '#ui/base/icon.tsx'
import { FrameMenu } from './frame-menu.tsx'

/** A pen stroke above a line. */
const Mark = () => (
  <svg
    viewBox="0 0 32 32"
    width={20}
    height={20}
    fill="none"
    stroke="currentColor"
    strokeWidth="2.5"
    strokeLinecap="round"
    strokeLinejoin="round"
    aria-hidden="true"
  >
    <path d="M4 27h24" />
    <path d="M5 20c5-1 9-15 12-14s-4 13-1 13 4-6 6-5 0 5 5 4" />
  </svg>
)

export function WorkspaceMenu() {
  const t = useTranslations('shell')
  const { workspace, workspaces } = useMe()
  const head = (
    <>
      <span className="grid size-8 shrink-0 place-items-center rounded-lg bg-accent text-on-accent">
        <Mark />
      </span>
      <span className="min-w-0 flex-1 text-start">
        <span className="block truncate font-semibold">{workspace.name}</span>
        <span className="block text-xs text-muted">{t('product')}</span>
      </span>
    </>
  )
  if (workspaces.length < 2) return <div className="flex items-center gap-2.5 p-1.5">{head}</div>
  return (
    <FrameMenu
      label={t('switchWorkspace')}
      className="flex items-center gap-2.5 rounded-xl p-1.5 hover:bg-sunken"
      entries={workspaces.map(({ id, name, role }) => ({
        id,
        label: name,
        hint: t(`roles.${role}`),
        isChosen: id === workspace.id,
        onAction: () => switchWorkspace(id),
      }))}
    >
      {head}
      <Icon name="chevrons-up-down" size={14} className="text-muted" />
    </FrameMenu>
  )
}
