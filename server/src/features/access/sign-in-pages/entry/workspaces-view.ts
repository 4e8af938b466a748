import { html } from '#pages/markup.ts'
import type { PageContext, PageParts } from '../document.ts'
import { hiddenField, leaveForm } from '../fields.ts'

export interface OwnWorkspace {
  readonly id: string
  readonly name: string
  readonly role: string
}

interface WorkspacesContent {
  readonly workspaces: readonly OwnWorkspace[]
  /** The name of the person who is signed in. */
  readonly name: string
  readonly returnTo: string | undefined
}

export function workspacesPage({ t }: PageContext, content: WorkspacesContent): PageParts {
  const { workspaces, name, returnTo } = content
  const isEmpty = workspaces.length === 0
  const title = isEmpty ? t.noWorkspace.title : t.chooseWorkspace.title
  return {
    title,
    body: html`<div class="card">
<h1 class="title">${title}</h1>
<p class="text">${isEmpty ? t.noWorkspace.text : workspaces.length > 1 && t.chooseWorkspace.text}</p>
<form class="fields" method="post" action="/sign-in/workspace">
${hiddenField('return_to', returnTo)}<div class="stack">
${workspaces.map(
  ({ id, name, role }) =>
    html`<button class="button full choice" type="submit" name="workspace_id" value="${id}"><span class="name">${name}</span> <span class="badge">${t.roles[role] ?? role}</span></button>\n`,
)}</div>
</form>
<p class="text faint small">${t.signedInAs(name)}</p>
</div>
${leaveForm(t.signOut)}`,
  }
}
