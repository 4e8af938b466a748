// The words of the sign-in pages in German.
import type { Texts } from './en.ts'

export const de: Texts = {
  product: 'Signoff',
  pageOf: (title, company) => `${title} · ${company}`,
  toSignoff: 'Zurück zu Signoff',
  browser: browser => browser.replace('Unknown browser', 'Unbekannter Browser').replace(' on ', ' unter '),
  signOut: 'Abmelden',
  addPasskey: 'Passkey hinzufügen',
  cancel: 'Abbrechen',
  back: 'Zurück zur Anmeldung',
  home: 'Zur Startseite',
  show: 'Anzeigen',
  hide: 'Verbergen',
  signedInAs: name => `Angemeldet als ${name}`,
  needsScript: 'Passkeys brauchen JavaScript in diesem Browser.',
  fields: {
    code: 'Link oder Code daraus',
    codeHint: 'Der Code ist der Teil des Links nach dem #-Zeichen.',
    name: 'Ihr Name',
    email: 'E-Mail-Adresse',
    password: 'Passwort',
    newPassword: 'Neues Passwort',
    passwordHint: 'Mindestens 12 Zeichen. Gut sind ein paar Wörter, die nur Sie so zusammenstellen würden.',
    oneTimeCode: 'Code',
    recoveryCode: 'Wiederherstellungscode',
  },
  signIn: {
    title: 'Anmelden',
    to: company => `Bei ${company} anmelden`,
    submit: 'Anmelden',
    forgot: 'Passwort vergessen?',
    other: 'Andere Wege zur Anmeldung',
    link: 'Anmeldelink per E-Mail',
    passkey: 'Mit Passkey anmelden',
    sso: 'Single Sign-on',
    continueWith: connection => `Weiter mit ${connection}`,
    ssoTitle: 'Wie möchten Sie fortfahren?',
    ssoIntro: email => `${email} meldet sich über den Anmeldedienst der Firma an.`,
    ssoNone: 'Für diese Adresse gibt es kein Single Sign-on. Nutzen Sie unten einen anderen Weg.',
    or: 'oder',
  },
  ssoRequired: {
    title: 'Melden Sie sich über Ihre Firma an',
    text: 'Ihr Arbeitsbereich lässt die Anmeldung nur über sein Single Sign-on zu.',
  },
  linkSent: {
    title: 'Prüfen Sie Ihr Postfach',
    text: email =>
      `Wenn es zu ${email} ein Konto gibt, ist ein Link unterwegs. Er gilt einmal, 15 Minuten lang und nur in diesem Browser.`,
    thisAddress: 'dieser Adresse',
    nothing:
      'Nichts gekommen? Sehen Sie im Spam-Ordner nach, prüfen Sie die Adresse, oder fordern Sie einen neuen Link an.',
  },
  secondFactor: {
    title: 'Noch ein Schritt',
    totp: 'Geben Sie den Code aus Ihrer Authenticator-App ein.',
    onlyPasskey: 'Bestätigen Sie mit Ihrem Passkey, dass Sie es sind.',
    submit: 'Weiter',
    passkey: 'Passkey verwenden',
    recovery: 'Stattdessen einen Wiederherstellungscode verwenden',
    recoveryText: 'Jeder Ihrer Wiederherstellungscodes gilt einmal.',
    lost: 'Telefon und Codes verloren? Wenden Sie sich an einen Admin Ihres Arbeitsbereichs oder an die Person, die diesen Dienst betreibt.',
    none: 'Ihr Arbeitsbereich verlangt einen zweiten Faktor: einen Nachweis neben dem Passwort, etwa einen Code vom Telefon. Richten Sie einen ein, um fortzufahren.',
  },
  chooseWorkspace: {
    title: 'Arbeitsbereich wählen',
    text: 'Sie gehören zu mehreren. Sie können später wechseln.',
  },
  noWorkspace: {
    title: 'Sie gehören zu keinem Arbeitsbereich',
    text: 'Bitten Sie eine Kollegin oder einen Kollegen um eine Einladung.',
  },
  setUp: {
    title: 'Signoff einrichten',
    text: 'Sie werden Inhaberin oder Inhaber dieser Installation. Legen Sie fest, wie Sie sich anmelden.',
    submit: 'Konto anlegen',
  },
  setUpPasskey: {
    title: 'Ohne Passwort anmelden',
    text: 'Mit einem Passkey melden Sie sich mit Fingerabdruck, Gesicht oder der PIN Ihres Geräts an. Ihr Passwort gilt weiterhin.',
    without:
      'Dieser Browser bietet hier keine Passkeys an: Er ist zu alt, oder die Seite ist nicht über https geöffnet. Sie können später in Ihrem Konto einen hinzufügen.',
    skip: 'Jetzt nicht',
  },
  invitation: {
    title: 'Ihre Einladung',
    titleAt: company => `Einladung zu ${company}`,
    invitedBy: (name, role) => `${name} hat Sie eingeladen. Ihre Rolle: ${role}.`,
    invited: role => `Sie wurden eingeladen. Ihre Rolle: ${role}.`,
    choose: 'Wählen Sie ein Passwort, schon sind Sie dabei.',
    signIn: email => `Mit ${email} haben Sie schon ein Konto. Melden Sie sich an, und nehmen Sie dann an.`,
    signInFirst: 'Anmelden',
    otherPerson: (current, invited) =>
      `Sie sind als ${current} angemeldet. Melden Sie sich ab, und machen Sie als ${invited} weiter.`,
    switchPerson: invited => `Weiter als ${invited}`,
    submit: 'Einladung annehmen',
  },
  token: {
    text: 'Ihr Browser gibt den Code aus Ihrem Link nicht von selbst weiter, weil JavaScript aus ist oder der Link nicht vollständig ist. Fügen Sie hier den ganzen Link ein.',
    submit: 'Weiter',
  },
  deadLink: {
    title: 'Dieser Link ist abgelaufen oder wurde schon benutzt',
    setUp:
      'Links zum Einrichten gelten einmal, 24 Stunden lang. Haben Sie Ihr Konto schon eingerichtet, melden Sie sich an. Sonst erzeugt die Person, die diesen Dienst betreibt, mit dem Befehl „npx signoff setup-link“ einen neuen.',
    invitation:
      'Haben Sie die Einladung schon angenommen, melden Sie sich an. Sonst bitten Sie einen Admin Ihres Arbeitsbereichs um eine neue.',
    reset: 'Links für ein neues Passwort gelten einmal und nur kurze Zeit. Fordern Sie einen neuen an.',
    newLink: 'Neuen Link anfordern',
  },
  forgot: {
    title: 'Neues Passwort wählen',
    text: 'Geben Sie Ihre E-Mail-Adresse ein. Sie erhalten einen Link, um ein neues Passwort zu wählen.',
    submit: 'Link senden',
    noMail:
      'Diese Installation versendet keine E-Mails. Fragen Sie die Person, die sie betreibt: Sie kann mit dem Befehl „signoff accounts reset“ einen Link für Sie erzeugen.',
    sentTitle: 'Prüfen Sie Ihr Postfach',
    sent: email =>
      `Wenn es zu ${email} ein Konto gibt, ist ein Link für ein neues Passwort unterwegs. Er gilt einmal, 30 Minuten lang.`,
    nothing: 'Nichts gekommen? Sehen Sie im Spam-Ordner nach, oder prüfen Sie die Adresse.',
  },
  reset: {
    title: 'Neues Passwort wählen',
    text: 'Alle Browser werden abgemeldet.',
    removesFactors:
      'Ihre Authenticator-App, Ihre Passkeys und Ihre Wiederherstellungscodes werden entfernt. Sie können sie danach neu einrichten.',
    submit: 'Neues Passwort speichern',
  },
  signedOut: {
    title: 'Sie sind abgemeldet',
    text: 'Bis bald. Schließen Sie an einem gemeinsam genutzten Computer auch den Browser.',
    again: 'Wieder anmelden',
  },
  totpSetUp: {
    title: 'Authenticator-App einrichten',
    scan: 'Scannen Sie dieses Bild mit Ihrer Authenticator-App.',
    picture: 'QR-Code für Ihre Authenticator-App',
    openApp: 'App auf diesem Gerät öffnen',
    byHand: 'Keine Kamera? Geben Sie diesen Schlüssel in der App ein:',
    enter: 'Geben Sie dann den Code ein, den die App zeigt.',
    submit: 'Einschalten',
  },
  recoveryCodes: {
    title: 'Bewahren Sie diese Codes auf',
    text: 'Jeder gilt einmal, falls Sie Ihr Telefon verlieren. Sie werden nur jetzt gezeigt: Drucken Sie sie aus, oder legen Sie sie in einem Passwortmanager ab.',
    list: 'Wiederherstellungscodes',
    owner: (email, company) => `${company}, ${email}`,
    copy: 'Kopieren',
    copied: 'Kopiert',
    print: 'Drucken',
    done: 'Ich habe sie aufbewahrt',
  },
  roles: {
    owner: 'Inhaber',
    admin: 'Admin',
    manager: 'Manager',
    member: 'Mitglied',
  },
  done: {
    reset: 'Ihr neues Passwort ist gespeichert. Melden Sie sich damit an.',
    'again-factor':
      'Geben Sie Ihr Passwort noch einmal ein, danach richten Sie Ihren zweiten Faktor ein. Das schützt Ihr Konto, wenn Sie Ihren Platz verlassen.',
    again:
      'Melden Sie sich für diese Änderung noch einmal an. Das schützt Ihr Konto, falls Sie den Platz verlassen.',
    ended: 'Ihre Sitzung ist zu Ende. Bitte melden Sie sich wieder an.',
    invited: 'Melden Sie sich mit der eingeladenen Adresse an.',
  },
  problems: {
    expired_link: {
      title: 'Dieser Link ist abgelaufen',
      text: 'Links gelten nur eine begrenzte Zeit. Fordern Sie einen neuen an.',
    },
    used_link: {
      title: 'Dieser Link gilt nicht mehr',
      text: 'Er wurde schon benutzt, oder ein neuerer hat ihn ersetzt. Jeder Link gilt einmal.',
    },
    wrong_browser: {
      title: 'Öffnen Sie den Link im selben Browser',
      text: 'Ein Anmeldelink gilt nur in dem Browser, der ihn angefordert hat. Kopieren Sie ihn dorthin, oder fordern Sie hier einen neuen an.',
    },
    too_many_attempts: {
      title: 'Zu viele Versuche',
      text: 'Warten Sie 15 Minuten, und versuchen Sie es dann noch einmal. Ein Link per E-Mail oder ein Passkey geht vielleicht jetzt schon.',
    },
    unverified_account: {
      title: 'Ihre Adresse ist noch nicht bestätigt',
      text: 'Bis dahin öffnet Ihr Passwort nur den Arbeitsbereich, der Sie zuerst eingeladen hat. Melden Sie sich mit einem Link per E-Mail an, oder bitten Sie den Betreiber dieser Installation, Ihr Konto zu bestätigen.',
    },
    sso_failed: {
      title: 'Die Anmeldung ist nicht gelungen',
      text: 'Der Anmeldedienst Ihrer Firma hat abgelehnt, oder seine Antwort ließ sich nicht prüfen. Versuchen Sie es noch einmal. Bleibt es dabei, sagen Sie es einem Admin Ihres Arbeitsbereichs.',
    },
    no_permission: {
      title: 'Sie haben hier keinen Zugang',
      text: 'Ihr Konto erlaubt das nicht. Ein Admin Ihres Arbeitsbereichs kann das ändern.',
    },
    cross_origin: {
      title: 'Das Formular kam von anderswo',
      text: 'Zu Ihrer Sicherheit gelten nur Formulare von Seiten dieser Adresse. Öffnen Sie die Seite neu, und wiederholen Sie den Schritt.',
    },
    unreadable_form: {
      title: 'Das Formular ist nicht lesbar',
      text: 'Es kam nicht so an, wie diese Seite es sendet. Öffnen Sie die Seite neu, und wiederholen Sie den Schritt.',
    },
    not_found: {
      title: 'Diese Seite gibt es nicht',
      text: 'Die Adresse ist nicht vollständig, oder sie hat sich geändert.',
    },
    unavailable: {
      title: 'Gerade nicht möglich',
      text: 'Der Dienst kann im Moment nicht antworten. Versuchen Sie es gleich noch einmal.',
    },
  },
  errors: {
    wrong_password: 'Adresse oder Passwort stimmt nicht.',
    wrong_code: 'Dieser Code stimmt nicht. Codes wechseln alle 30 Sekunden.',
    wrong_recovery: 'Dieser Wiederherstellungscode stimmt nicht oder wurde schon benutzt.',
    weak_password:
      'Dieses Passwort ist zu leicht zu erraten. Nehmen Sie mindestens 12 Zeichen, und nicht Ihren Namen oder Ihre Adresse.',
    leaked_password: 'Dieses Passwort steht in Listen bekannt gewordener Passwörter. Wählen Sie ein anderes.',
    too_many_attempts: 'Zu viele Versuche. Warten Sie 15 Minuten, und versuchen Sie es dann noch einmal.',
    sso_required: 'Ihr Arbeitsbereich lässt die Anmeldung nur über sein Single Sign-on zu.',
    email_first: 'Geben Sie zuerst Ihre E-Mail-Adresse ein.',
    no_mail: 'Diese Installation versendet keine E-Mails, darum geht es nicht per Link.',
    already_member: 'Sie gehören schon zu diesem Arbeitsbereich. Melden Sie sich an.',
    taken: 'Mit dieser Adresse gibt es schon ein Konto.',
    blank: 'Bitte ausfüllen.',
    email: 'Das ist keine vollständige E-Mail-Adresse.',
    too_long: 'Das ist zu lang.',
    invalid: 'Das ist nicht gültig.',
    passkey:
      'Der Passkey wurde nicht angenommen. Versuchen Sie es noch einmal, oder nehmen Sie einen anderen Weg.',
    passkey_cancelled: 'Es ist nichts geschehen. Versuchen Sie es, wenn Sie so weit sind.',
    other: 'Das hat nicht geklappt. Versuchen Sie es noch einmal.',
  },
}
