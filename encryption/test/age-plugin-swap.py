#!/usr/bin/env python3
# A plugin of age for tests: its recipients and identities carry a byte, with which it changes the file key. age finds it as
# age-plugin-swap. SWAP_ASKS=1: it asks for a PIN (1234), shows a message and wants a confirmation first.
import base64, os, sys

CHARSET = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l'

def byte_of(text):
    data = [CHARSET.index(c) for c in text.lower().rsplit('1', 1)[1]][:-6]
    return (data[0] << 3) | (data[1] >> 2)

def b64(data):
    return base64.b64encode(data).decode().rstrip('=')

def read():
    args = sys.stdin.readline().rstrip('\n').split(' ')[1:]
    text = ''
    while True:
        line = sys.stdin.readline().rstrip('\n')
        text += line
        if len(line) < 64:
            return args, base64.b64decode(text + '=' * (-len(text) % 4))

def write(args, body=b''):
    text = b64(body)
    lines = [text[i:i + 64] for i in range(0, len(text), 64)]
    if not lines or len(lines[-1]) == 64:
        lines.append('')
    sys.stdout.write('-> ' + ' '.join(args) + '\n' + '\n'.join(lines) + '\n')
    sys.stdout.flush()

def ask(args, body=b''):
    write(args, body)
    return read()

def fail(kind, words):
    ask(['error', kind], words.encode())
    write(['done'])
    sys.exit(0)

def dialog():
    if os.environ.get('SWAP_ASKS') != '1':
        return
    ask(['msg'], b'touch the key')
    (answer, pin) = ask(['request-secret'], b'PIN')
    if answer[0] != 'ok' or pin != b'1234':
        fail('internal', 'wrong PIN')
    (answer, _) = ask(['confirm', b64(b'go on'), b64(b'stop')], b'Use the key?')
    if answer != ['ok', 'yes']:
        fail('internal', 'refused')

phase = sys.argv[1].split('=')[1]
commands = []
while True:
    (args, body) = read()
    if args == ['done']:
        break
    commands.append((args, body))
of = lambda name: [(args[1:], body) for (args, body) in commands if args[0] == name]
xor = lambda data, byte: bytes(b ^ byte for b in data)

if phase == 'recipient-v1':
    keys = [byte_of(args[0]) for (args, _) in of('add-recipient')]
    # What is unknown must be answered, and ignored.
    if ask(['grease-command', 'x'], b'y' * 48)[0] != ['unsupported']:
        fail('internal', 'an unknown command was not refused')
    for (index, (_, file_key)) in enumerate(of('wrap-file-key')):
        for key in keys:
            ask(['recipient-stanza', str(index), 'swap', b64(bytes([key]))], xor(file_key, key))
else:
    keys = [byte_of(args[0]) for (args, _) in of('add-identity')]
    stanzas = [(args, body) for (args, body) in of('recipient-stanza') if args[1] == 'swap']
    matching = [(args, body, key) for (args, body) in stanzas for key in keys if args[2] == b64(bytes([key]))]
    if matching:
        dialog()
        (args, body, key) = matching[0]
        ask(['file-key', args[0]], xor(body, key))
write(['done'])
