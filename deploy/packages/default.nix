# Nix: the server and the client. pkgs.callPackage ./default.nix { } has both.
{
  lib,
  stdenvNoCC,
  fetchurl,
  makeWrapper,
  nodejs,
}:

let
  package =
    {
      pname,
      sha256,
      script,
      description,
    }:
    stdenvNoCC.mkDerivation {
      inherit pname;
      version = "@VERSION@";
      src = fetchurl {
        url = "@BASE@/${pname}-@VERSION@.tgz";
        inherit sha256;
      };
      nativeBuildInputs = [ makeWrapper ];
      dontBuild = true;
      installPhase = ''
        runHook preInstall
        mkdir -p $out/lib/${pname}
        cp -r . $out/lib/${pname}
        makeWrapper ${nodejs}/bin/node $out/bin/${pname} --add-flags $out/lib/${pname}/${script}
        runHook postInstall
      '';
      meta = {
        inherit description;
        homepage = "@HOMEPAGE@";
        license = lib.licenses.mit;
        mainProgram = pname;
      };
    };
in
{
  svc = package {
    pname = "svc";
    sha256 = "@SHA256 svc-@VERSION@.tgz@";
    script = "svc.mjs";
    description = "Command-line client of Svc, temporary file uploads";
  };
  svcd = package {
    pname = "svcd";
    sha256 = "@SHA256 svcd-@VERSION@.tgz@";
    script = "bin/svcd.mjs";
    description = "Server of Svc, temporary file uploads";
  };
}
