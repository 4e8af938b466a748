// Runs in the visitor's browser. Asks the service for options, the browser for a passkey, and sends what it signed.
const bytesOf = text =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), letter => letter.charCodeAt(0))
const textOf = buffer =>
  btoa(String.fromCharCode(...new Uint8Array(buffer)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

// PublicKeyCredential.parseRequestOptionsFromJSON and toJSON do the same, in newer browsers only.
const credentialIn = item => ({ ...item, id: bytesOf(item.id) })
const readOptions = ({ challenge, user, allowCredentials = [], excludeCredentials = [], ...rest }) => ({
  ...rest,
  challenge: bytesOf(challenge),
  ...(user && { user: { ...user, id: bytesOf(user.id) } }),
  ...(user
    ? { excludeCredentials: excludeCredentials.map(credentialIn) }
    : { allowCredentials: allowCredentials.map(credentialIn) }),
})
const parts = ['clientDataJSON', 'attestationObject', 'authenticatorData', 'signature', 'userHandle']
const printCredential = ({ id, rawId, type, response, authenticatorAttachment, ...rest }) => ({
  ...rest,
  id,
  rawId: textOf(rawId),
  type,
  ...(authenticatorAttachment && { authenticatorAttachment }),
  clientExtensionResults: {},
  response: {
    ...Object.fromEntries(parts.filter(name => response[name]).map(name => [name, textOf(response[name])])),
    ...(response.getTransports && { transports: response.getTransports() }),
  },
})

async function post(path, body) {
  const answer = await fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const { data, error } = answer.status === 204 ? {} : await answer.json()
  if (error) throw new Error(error.code)
  return data
}

let waiting = new AbortController()

/** `mediation`: `conditional` lists passkeys below the field for the address, without a dialog. */
async function usePasskey({ dataset }, mediation) {
  waiting.abort()
  waiting = new AbortController()
  const { signal } = waiting
  const publicKey = readOptions(await post(dataset.options, {}))
  const credential = publicKey.user
    ? await navigator.credentials.create({ publicKey, signal })
    : await navigator.credentials.get({ publicKey, signal, ...(mediation && { mediation }) })
  const printed = printCredential(credential)
  const name = document.getElementById(dataset.name)?.value
  const added = await post(dataset.finish, publicKey.user ? { name, credential: printed } : printed)
  const codes = added?.recovery_codes ?? []
  if (codes.length === 0) location.assign(dataset.next)
  else showCodes(codes)
}

/** Recovery codes are shown this once. */
function showCodes(codes) {
  const section = document.getElementById('new-codes')
  const items = codes.map(code => Object.assign(document.createElement('li'), { textContent: code }))
  section.querySelector('ul').replaceChildren(...items)
  section.hidden = false
  section.scrollIntoView()
  section.querySelector('h2').focus()
}

const hasPasskeys = window.PublicKeyCredential !== undefined
for (const reason of document.querySelectorAll('[data-without-passkey]')) reason.hidden = hasPasskeys

for (const holder of hasPasskeys ? document.querySelectorAll('[data-passkey]') : []) {
  const button = holder.querySelector('button')
  const problem = holder.querySelector('[role=alert]')
  holder.hidden = false
  holder.closest('[data-needs-passkey]')?.removeAttribute('hidden')
  button.addEventListener('click', async () => {
    problem.hidden = true
    button.disabled = true
    try {
      await usePasskey(holder)
    } catch (error) {
      if (error.message === 'recent_sign_in_required')
        location.assign(
          `/sign-in?again=1&return_to=${encodeURIComponent(location.pathname + location.search)}`,
        )
      const isCancelled = error.name === 'NotAllowedError' || error.name === 'AbortError'
      if (error.message === 'sso_required') location.assign('/sign-in?problem=sso_required')
      problem.className = isCancelled ? 'hint' : 'wrong'
      problem.textContent = isCancelled ? holder.dataset.cancelled : holder.dataset.failed
      problem.hidden = false
      button.disabled = false
    }
  })
  const field = document.querySelector('[autocomplete~=webauthn]')
  const offer = async () => {
    if (await window.PublicKeyCredential.isConditionalMediationAvailable?.())
      await usePasskey(holder, 'conditional').catch(() => undefined)
  }
  field?.addEventListener('focus', offer, { once: true })
}
