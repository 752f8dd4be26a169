#!/bin/sh
# Unpacks the Debian packages in the current folder, and keeps what the image needs of them: libraries, licences, and the entries
# from which scanners learn the versions.
#   collect-libraries.sh FOLDER
set -eu
image=$1
mkdir -p "$image/var/lib/dpkg/status.d" "$image/etc" "$image/usr/bin"

for package in ./*.deb; do
  name=$(dpkg-deb --field "$package" Package)
  # A package of the base has files with other rights and links than this user may create.
  mkdir "/tmp/$name"
  dpkg-deb --extract "$package" "/tmp/$name"
  dpkg-deb --field "$package" > "$image/var/lib/dpkg/status.d/$name"
  mkdir -p "$image/usr/share/doc/$name"
  # That of libc6 and of others is a link into a folder of gcc's.
  cp -L "/tmp/$name/usr/share/doc/$name/copyright" "$image/usr/share/doc/$name/" 2>/dev/null \
    || rmdir "$image/usr/share/doc/$name"
done

# The loader has a path for each architecture; it is the one below /lib or /lib64 that the executable names.
for name in libc6 libgcc-s1 libstdc++6 libatomic1; do
  (cd "/tmp/$name" && find . ! -type d \( -name '*.so*' -o -name 'ld-linux*' \) ! -path '*/gconv/*' ! -path '*/audit/*' ! -path '*/gdb/*' -print0 \
    | xargs -0 cp -P --parents --target-directory="$image")
done
mkdir -p "$image/usr/lib"
cp "/tmp/base-files/usr/lib/os-release" "$image/usr/lib/os-release"
ln -s ../usr/lib/os-release "$image/etc/os-release"

echo 'root:x:0:0:root:/root:/sbin/nologin
svcd:x:10001:10001:svcd:/data:/sbin/nologin' > "$image/etc/passwd"
echo 'root:x:0:
svcd:x:10001:' > "$image/etc/group"
echo 'hosts: files dns' > "$image/etc/nsswitch.conf"
ln -s /opt/svcd/bin/svcd.mjs "$image/usr/bin/svcd"
install -d -m 1777 "$image/tmp"
install -d -m 0750 /data
