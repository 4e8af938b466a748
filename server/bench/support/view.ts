// A published signature with one recipient, for benchmarks that record views.

/** Creates a signature and returns the path of its view pixel. */
export async function createView(url: string, key: string): Promise<string> {
  const api = async (method: string, path: string, body?: object) => {
    const headers = { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) }
    const answer = await fetch(url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
    if (!answer.ok) throw new Error(`${method} ${path}: ${await answer.text()}`)
    return ((await answer.json()) as { data: { id: string; html: string; emails: { id: string }[] } }).data
  }
  const { emails } = await api('POST', '/v1/teammates', { teammate: { email: 'ada@example.com' } })
  const emailId = emails[0]?.id ?? ''
  const draft_content = { type: 'stack', children: [{ type: 'text', tokens: [{ value: 'Regards' }] }] }
  const { id } = await api('POST', '/v1/signatures', { name: 'Bench', draft_content })
  await api('POST', `/v1/signatures/${id}/emails`, { email_ids: [emailId] })
  await api('POST', `/v1/signatures/${id}/publish`)
  const { html } = await api('GET', `/v1/signatures/${id}/html?email_id=${emailId}`)
  const [path] = /\/o\/[\w-]+/.exec(html) ?? []
  if (!path) throw new Error('the signature has no pixel')
  return path
}
