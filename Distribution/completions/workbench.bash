__workbench_cursor_index_in_current_word() {
    local remaining="${COMP_LINE}"

    local word
    for word in "${COMP_WORDS[@]::COMP_CWORD}"; do
        remaining="${remaining##*([[:space:]])"${word}"*([[:space:]])}"
    done

    local -ir index="$((COMP_POINT - ${#COMP_LINE} + ${#remaining}))"
    if [[ "${index}" -le 0 ]]; then
        printf 0
    else
        printf %s "${index}"
    fi
}

# positional arguments:
#
# - 1: the current (sub)command's count of positional arguments
#
# required variables:
#
# - repeating_flags: the repeating flags that the current (sub)command can accept
# - non_repeating_flags: the non-repeating flags that the current (sub)command can accept
# - repeating_options: the repeating options that the current (sub)command can accept
# - non_repeating_options: the non-repeating options that the current (sub)command can accept
# - positional_number: value ignored
# - unparsed_words: unparsed words from the current command line
#
# modified variables:
#
# - non_repeating_flags: remove flags for this (sub)command that are already on the command line
# - non_repeating_options: remove options for this (sub)command that are already on the command line
# - positional_number: set to the current positional number
# - unparsed_words: remove all flags, options, and option values for this (sub)command
__workbench_offer_flags_options() {
    local -ir positional_count="${1}"
    positional_number=0

    local was_flag_option_terminator_seen=false
    local is_parsing_option_value=false

    local -ar unparsed_word_indices=("${!unparsed_words[@]}")
    local -i word_index
    for word_index in "${unparsed_word_indices[@]}"; do
        if "${is_parsing_option_value}"; then
            # This word is an option value:
            # Reset marker for next word iff not currently the last word
            [[ "${word_index}" -ne "${unparsed_word_indices[${#unparsed_word_indices[@]} - 1]}" ]] && is_parsing_option_value=false
            unset "unparsed_words[${word_index}]"
            # Do not process this word as a flag or an option
            continue
        fi

        local word="${unparsed_words["${word_index}"]}"
        if ! "${was_flag_option_terminator_seen}"; then
            case "${word}" in
            --)
                unset "unparsed_words[${word_index}]"
                # by itself -- is a flag/option terminator, but if it is the last word, it is the start of a completion
                if [[ "${word_index}" -ne "${unparsed_word_indices[${#unparsed_word_indices[@]} - 1]}" ]]; then
                    was_flag_option_terminator_seen=true
                fi
                continue
                ;;
            -*)
                # ${word} is a flag or an option
                # If ${word} is an option, mark that the next word to be parsed is an option value
                local option
                for option in "${repeating_options[@]}" "${non_repeating_options[@]}"; do
                    [[ "${word}" = "${option}" ]] && is_parsing_option_value=true && break
                done

                # Remove ${word} from ${non_repeating_flags} or ${non_repeating_options} so it isn't offered again
                local not_found=true
                local -i index
                for index in "${!non_repeating_flags[@]}"; do
                    if [[ "${non_repeating_flags[${index}]}" = "${word}" ]]; then
                        unset "non_repeating_flags[${index}]"
                        non_repeating_flags=("${non_repeating_flags[@]}")
                        not_found=false
                        break
                    fi
                done
                if "${not_found}"; then
                    for index in "${!non_repeating_flags[@]}"; do
                        if [[ "${non_repeating_flags[${index}]}" = "${word}" ]]; then
                            unset "non_repeating_flags[${index}]"
                            non_repeating_flags=("${non_repeating_flags[@]}")
                            break
                        fi
                    done
                fi
                unset "unparsed_words[${word_index}]"
                continue
                ;;
            esac
        fi

        # ${word} is neither a flag, nor an option, nor an option value
        if [[ "${positional_number}" -lt "${positional_count}" || "${positional_count}" -lt 0 ]]; then
            # ${word} is a positional
            ((positional_number++))
            unset "unparsed_words[${word_index}]"
        else
            if [[ -z "${word}" ]]; then
                # Could be completing a flag, option, or subcommand
                positional_number=-1
            else
                # ${word} is a subcommand or invalid, so stop processing this (sub)command
                positional_number=-2
            fi
            break
        fi
    done

    unparsed_words=("${unparsed_words[@]}")

    if\
        ! "${was_flag_option_terminator_seen}"\
        && ! "${is_parsing_option_value}"\
        && [[ ("${cur}" = -* && "${positional_number}" -ge 0) || "${positional_number}" -eq -1 ]]
    then
        COMPREPLY+=($(compgen -W "${repeating_flags[*]} ${non_repeating_flags[*]} ${repeating_options[*]} ${non_repeating_options[*]}" -- "${cur}"))
    fi
}

__workbench_add_completions() {
    local completion
    while IFS='' read -r completion; do
        COMPREPLY+=("${completion}")
    done < <(IFS=$'\n' compgen "${@}" -- "${cur}")
}

__workbench_custom_complete() {
    if [[ -n "${cur}" || -z ${COMP_WORDS[${COMP_CWORD}]} || "${COMP_LINE:${COMP_POINT}:1}" != ' ' ]]; then
        local -ar words=("${COMP_WORDS[@]}")
    else
        local -ar words=("${COMP_WORDS[@]::${COMP_CWORD}}" '' "${COMP_WORDS[@]:${COMP_CWORD}}")
    fi

    "${COMP_WORDS[0]}" "${@}" "${words[@]}"
}

_workbench() {
    local state
    state="$(shopt -p;shopt -po)"
    trap "${state//$'\n'/;}" RETURN
    shopt -s extglob
    set +o history +o posix

    local -xr SAP_SHELL=bash
    local -x SAP_SHELL_VERSION
    SAP_SHELL_VERSION="$(IFS='.';printf %s "${BASH_VERSINFO[*]}")"
    local -r SAP_SHELL_VERSION

    local -r cur="${2}"
    local -r prev="${3}"

    local -i positional_number
    local -a unparsed_words=("${COMP_WORDS[@]:1:${COMP_CWORD}}")

    local -a repeating_flags=()
    local -a non_repeating_flags=(--version -h --help)
    local -a repeating_options=()
    local -a non_repeating_options=()
    __workbench_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    prompt|send|run|test|bulk|report|debug|resume|runs|show|replay|diff|queue|check|fmt|eval|select|import|export|auth|presign|doctor|help)
        # Offer subcommand argument completions
        "_workbench_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'prompt send run test bulk report debug resume runs show replay diff queue check fmt eval select import export auth presign doctor help' -- "${cur}"))
        ;;
    esac
}

_workbench_prompt() {
    repeating_flags=()
    non_repeating_flags=(--fail-fast --version -h --help)
    repeating_options=(--set --vars --env-file --use)
    non_repeating_options=(--color)
    __workbench_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--set')
        __workbench_add_completions -W "$(__workbench_custom_complete ---completion prompt -- --set "${COMP_CWORD}" "$(__workbench_cursor_index_in_current_word)")"
        return
        ;;
    '--vars')
        __workbench_add_completions -o plusdirs -fX '!*.@(json|yaml|yml)'
        return
        ;;
    '--env-file')
        __workbench_add_completions -f
        return
        ;;
    '--use')
        __workbench_add_completions -o plusdirs -fX '!*.@(wb)'
        return
        ;;
    '--color')
        __workbench_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    esac
}

_workbench_send() {
    repeating_flags=()
    non_repeating_flags=(--form --body -b --headers --ignore-stdin --quiet -q --verbose -v -i --include -I --head --version -h --help)
    repeating_options=(--data -d -H --header --set --vars --env-file --use)
    non_repeating_options=(--output -o --profile -p -u --user -X --request -a --auth -A --auth-type --color)
    __workbench_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--output'|'-o')
        __workbench_add_completions -f
        return
        ;;
    '--profile'|'-p')
        __workbench_add_completions -W "$(__workbench_custom_complete ---completion send -- --profile "${COMP_CWORD}" "$(__workbench_cursor_index_in_current_word)")"
        return
        ;;
    '--data'|'-d')
        return
        ;;
    '-H'|'--header')
        return
        ;;
    '-u'|'--user')
        return
        ;;
    '-X'|'--request')
        return
        ;;
    '-a'|'--auth')
        return
        ;;
    '-A'|'--auth-type')
        return
        ;;
    '--set')
        __workbench_add_completions -W "$(__workbench_custom_complete ---completion send -- --set "${COMP_CWORD}" "$(__workbench_cursor_index_in_current_word)")"
        return
        ;;
    '--vars')
        __workbench_add_completions -o plusdirs -fX '!*.@(json|yaml|yml)'
        return
        ;;
    '--env-file')
        __workbench_add_completions -f
        return
        ;;
    '--use')
        __workbench_add_completions -o plusdirs -fX '!*.@(wb)'
        return
        ;;
    '--color')
        __workbench_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    esac
}

_workbench_run() {
    repeating_flags=()
    non_repeating_flags=(--verbose -v --quiet -q --json --keep-going --update-snapshots --no-record --version -h --help)
    repeating_options=(--set --vars --env-file --use --report)
    non_repeating_options=(--store --color)
    __workbench_offer_flags_options 2

    # Offer option value completions
    case "${prev}" in
    '--set')
        __workbench_add_completions -W "$(__workbench_custom_complete ---completion run -- --set "${COMP_CWORD}" "$(__workbench_cursor_index_in_current_word)")"
        return
        ;;
    '--vars')
        __workbench_add_completions -o plusdirs -fX '!*.@(json|yaml|yml)'
        return
        ;;
    '--env-file')
        __workbench_add_completions -f
        return
        ;;
    '--use')
        __workbench_add_completions -o plusdirs -fX '!*.@(wb)'
        return
        ;;
    '--report')
        return
        ;;
    '--store')
        __workbench_add_completions -d
        return
        ;;
    '--color')
        __workbench_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __workbench_add_completions -o plusdirs -fX '!*.@(wb)'
        return
        ;;
    2)
        __workbench_add_completions -W "$(__workbench_custom_complete ---completion run -- positional@1 "${COMP_CWORD}" "$(__workbench_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_workbench_test() {
    repeating_flags=()
    non_repeating_flags=(--fail-fast --list --verbose -v --json --keep-going --update-snapshots --no-record --version -h --help)
    repeating_options=(--tags --set --vars --env-file --use --report)
    non_repeating_options=(--jobs -j --repeat --retry-failed --only --shard --store --color)
    __workbench_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--jobs'|'-j')
        return
        ;;
    '--repeat')
        return
        ;;
    '--retry-failed')
        return
        ;;
    '--only')
        return
        ;;
    '--tags')
        return
        ;;
    '--shard')
        return
        ;;
    '--set')
        __workbench_add_completions -W "$(__workbench_custom_complete ---completion test -- --set "${COMP_CWORD}" "$(__workbench_cursor_index_in_current_word)")"
        return
        ;;
    '--vars')
        __workbench_add_completions -o plusdirs -fX '!*.@(json|yaml|yml)'
        return
        ;;
    '--env-file')
        __workbench_add_completions -f
        return
        ;;
    '--use')
        __workbench_add_completions -o plusdirs -fX '!*.@(wb)'
        return
        ;;
    '--report')
        return
        ;;
    '--store')
        __workbench_add_completions -d
        return
        ;;
    '--color')
        __workbench_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    *)
        __workbench_add_completions -o plusdirs -fX '!*.@(wb)'
        return
        ;;
    esac
}

_workbench_bulk() {
    repeating_flags=()
    non_repeating_flags=(--retry-failed --verbose -v --quiet -q --keep-going --no-record --version -h --help)
    repeating_options=(--select --set --vars --env-file --use --report)
    non_repeating_options=(--rows --jobs -j --rate --out --failed --unknown --stop-after --shard --resume --store --color)
    __workbench_offer_flags_options 2

    # Offer option value completions
    case "${prev}" in
    '--rows')
        __workbench_add_completions -o plusdirs -fX '!*.@(csv|jsonl)'
        return
        ;;
    '--jobs'|'-j')
        return
        ;;
    '--rate')
        return
        ;;
    '--out')
        __workbench_add_completions -f
        return
        ;;
    '--select')
        return
        ;;
    '--failed')
        __workbench_add_completions -f
        return
        ;;
    '--unknown')
        __workbench_add_completions -f
        return
        ;;
    '--stop-after')
        return
        ;;
    '--shard')
        return
        ;;
    '--resume')
        __workbench_add_completions -W "$(__workbench_custom_complete ---completion bulk -- --resume "${COMP_CWORD}" "$(__workbench_cursor_index_in_current_word)")"
        return
        ;;
    '--set')
        __workbench_add_completions -W "$(__workbench_custom_complete ---completion bulk -- --set "${COMP_CWORD}" "$(__workbench_cursor_index_in_current_word)")"
        return
        ;;
    '--vars')
        __workbench_add_completions -o plusdirs -fX '!*.@(json|yaml|yml)'
        return
        ;;
    '--env-file')
        __workbench_add_completions -f
        return
        ;;
    '--use')
        __workbench_add_completions -o plusdirs -fX '!*.@(wb)'
        return
        ;;
    '--report')
        return
        ;;
    '--store')
        __workbench_add_completions -d
        return
        ;;
    '--color')
        __workbench_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __workbench_add_completions -o plusdirs -fX '!*.@(wb)'
        return
        ;;
    2)
        __workbench_add_completions -W "$(__workbench_custom_complete ---completion bulk -- positional@1 "${COMP_CWORD}" "$(__workbench_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_workbench_report() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=(--report)
    non_repeating_options=(--store --color)
    __workbench_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--report')
        return
        ;;
    '--store')
        __workbench_add_completions -d
        return
        ;;
    '--color')
        __workbench_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    esac
}

_workbench_debug() {
    repeating_flags=()
    non_repeating_flags=(--no-record --version -h --help)
    repeating_options=(--set --vars --env-file --use --break-on)
    non_repeating_options=(--run --store --color)
    __workbench_offer_flags_options 2

    # Offer option value completions
    case "${prev}" in
    '--set')
        __workbench_add_completions -W "$(__workbench_custom_complete ---completion debug -- --set "${COMP_CWORD}" "$(__workbench_cursor_index_in_current_word)")"
        return
        ;;
    '--vars')
        __workbench_add_completions -o plusdirs -fX '!*.@(json|yaml|yml)'
        return
        ;;
    '--env-file')
        __workbench_add_completions -f
        return
        ;;
    '--use')
        __workbench_add_completions -o plusdirs -fX '!*.@(wb)'
        return
        ;;
    '--break-on')
        __workbench_add_completions -W "$(__workbench_custom_complete ---completion debug -- --break-on "${COMP_CWORD}" "$(__workbench_cursor_index_in_current_word)")"
        return
        ;;
    '--run')
        __workbench_add_completions -W "$(__workbench_custom_complete ---completion debug -- --run "${COMP_CWORD}" "$(__workbench_cursor_index_in_current_word)")"
        return
        ;;
    '--store')
        __workbench_add_completions -d
        return
        ;;
    '--color')
        __workbench_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __workbench_add_completions -o plusdirs -fX '!*.@(wb)'
        return
        ;;
    2)
        __workbench_add_completions -W "$(__workbench_custom_complete ---completion debug -- positional@1 "${COMP_CWORD}" "$(__workbench_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_workbench_resume() {
    repeating_flags=()
    non_repeating_flags=(--accept-changes --give-up --verbose -v --quiet -q --json --version -h --help)
    repeating_options=(--again --done --set --vars --env-file --use)
    non_repeating_options=(--from --store --color)
    __workbench_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--from')
        __workbench_add_completions -W "$(__workbench_custom_complete ---completion resume -- --from "${COMP_CWORD}" "$(__workbench_cursor_index_in_current_word)")"
        return
        ;;
    '--again')
        __workbench_add_completions -W "$(__workbench_custom_complete ---completion resume -- --again "${COMP_CWORD}" "$(__workbench_cursor_index_in_current_word)")"
        return
        ;;
    '--done')
        __workbench_add_completions -W "$(__workbench_custom_complete ---completion resume -- --done "${COMP_CWORD}" "$(__workbench_cursor_index_in_current_word)")"
        return
        ;;
    '--set')
        return
        ;;
    '--vars')
        __workbench_add_completions -o plusdirs -fX '!*.@(json|yaml|yml)'
        return
        ;;
    '--env-file')
        __workbench_add_completions -f
        return
        ;;
    '--use')
        __workbench_add_completions -o plusdirs -fX '!*.@(wb)'
        return
        ;;
    '--store')
        __workbench_add_completions -d
        return
        ;;
    '--color')
        __workbench_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __workbench_add_completions -W "$(__workbench_custom_complete ---completion resume -- positional@0 "${COMP_CWORD}" "$(__workbench_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_workbench_runs() {
    repeating_flags=()
    non_repeating_flags=(--all --json --version -h --help)
    repeating_options=()
    non_repeating_options=(--count -c --keep --store --color)
    __workbench_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--count'|'-c')
        return
        ;;
    '--keep')
        return
        ;;
    '--store')
        __workbench_add_completions -d
        return
        ;;
    '--color')
        __workbench_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    esac
}

_workbench_show() {
    repeating_flags=()
    non_repeating_flags=(--request --response --body --har --tries --version -h --help)
    repeating_options=()
    non_repeating_options=(--store --color)
    __workbench_offer_flags_options 2

    # Offer option value completions
    case "${prev}" in
    '--store')
        __workbench_add_completions -d
        return
        ;;
    '--color')
        __workbench_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __workbench_add_completions -W "$(__workbench_custom_complete ---completion show -- positional@0 "${COMP_CWORD}" "$(__workbench_cursor_index_in_current_word)")"
        return
        ;;
    2)
        __workbench_add_completions -W "$(__workbench_custom_complete ---completion show -- positional@1 "${COMP_CWORD}" "$(__workbench_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_workbench_replay() {
    repeating_flags=()
    non_repeating_flags=(--verbose -v --json --version -h --help)
    repeating_options=(--set --vars --env-file --use)
    non_repeating_options=(--script --store --color)
    __workbench_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--script')
        __workbench_add_completions -o plusdirs -fX '!*.@(wb)'
        return
        ;;
    '--set')
        return
        ;;
    '--vars')
        __workbench_add_completions -o plusdirs -fX '!*.@(json|yaml|yml)'
        return
        ;;
    '--env-file')
        __workbench_add_completions -f
        return
        ;;
    '--use')
        __workbench_add_completions -o plusdirs -fX '!*.@(wb)'
        return
        ;;
    '--store')
        __workbench_add_completions -d
        return
        ;;
    '--color')
        __workbench_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __workbench_add_completions -W "$(__workbench_custom_complete ---completion replay -- positional@0 "${COMP_CWORD}" "$(__workbench_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_workbench_diff() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=(--store --color)
    __workbench_offer_flags_options 2

    # Offer option value completions
    case "${prev}" in
    '--store')
        __workbench_add_completions -d
        return
        ;;
    '--color')
        __workbench_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __workbench_add_completions -W "$(__workbench_custom_complete ---completion diff -- positional@0 "${COMP_CWORD}" "$(__workbench_cursor_index_in_current_word)")"
        return
        ;;
    2)
        __workbench_add_completions -W "$(__workbench_custom_complete ---completion diff -- positional@1 "${COMP_CWORD}" "$(__workbench_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_workbench_queue() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __workbench_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    add|run|list|show|retry|drop|work|status|migrate)
        # Offer subcommand argument completions
        "_workbench_queue_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'add run list show retry drop work status migrate' -- "${cur}"))
        ;;
    esac
}

_workbench_queue_add() {
    repeating_flags=()
    non_repeating_flags=(--shared-files --version -h --help)
    repeating_options=(--set --vars --env-file --use)
    non_repeating_options=(--key --store --color)
    __workbench_offer_flags_options 2

    # Offer option value completions
    case "${prev}" in
    '--set')
        __workbench_add_completions -W "$(__workbench_custom_complete ---completion queue add -- --set "${COMP_CWORD}" "$(__workbench_cursor_index_in_current_word)")"
        return
        ;;
    '--vars')
        __workbench_add_completions -o plusdirs -fX '!*.@(json|yaml|yml)'
        return
        ;;
    '--env-file')
        __workbench_add_completions -f
        return
        ;;
    '--use')
        __workbench_add_completions -o plusdirs -fX '!*.@(wb)'
        return
        ;;
    '--key')
        return
        ;;
    '--store')
        __workbench_add_completions -d
        return
        ;;
    '--color')
        __workbench_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __workbench_add_completions -o plusdirs -fX '!*.@(wb)'
        return
        ;;
    2)
        __workbench_add_completions -W "$(__workbench_custom_complete ---completion queue add -- positional@1 "${COMP_CWORD}" "$(__workbench_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_workbench_queue_run() {
    repeating_flags=()
    non_repeating_flags=(--verbose -v --quiet -q --version -h --help)
    repeating_options=(--env-file)
    non_repeating_options=(--jobs -j --store --color)
    __workbench_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--jobs'|'-j')
        return
        ;;
    '--env-file')
        __workbench_add_completions -f
        return
        ;;
    '--store')
        __workbench_add_completions -d
        return
        ;;
    '--color')
        __workbench_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    esac
}

_workbench_queue_list() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--store --color)
    __workbench_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--store')
        __workbench_add_completions -d
        return
        ;;
    '--color')
        __workbench_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    esac
}

_workbench_queue_show() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=(--store --color)
    __workbench_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--store')
        __workbench_add_completions -d
        return
        ;;
    '--color')
        __workbench_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __workbench_add_completions -W "$(__workbench_custom_complete ---completion queue show -- positional@0 "${COMP_CWORD}" "$(__workbench_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_workbench_queue_retry() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=(--store)
    __workbench_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--store')
        __workbench_add_completions -d
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    *)
        __workbench_add_completions -W "$(__workbench_custom_complete ---completion queue retry -- positional@0 "${COMP_CWORD}" "$(__workbench_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_workbench_queue_drop() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=(--store)
    __workbench_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--store')
        __workbench_add_completions -d
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    *)
        __workbench_add_completions -W "$(__workbench_custom_complete ---completion queue drop -- positional@0 "${COMP_CWORD}" "$(__workbench_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_workbench_queue_work() {
    repeating_flags=()
    non_repeating_flags=(--until-empty --verbose -v --quiet -q --version -h --help)
    repeating_options=(--env-file)
    non_repeating_options=(--jobs -j --store --color)
    __workbench_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--jobs'|'-j')
        return
        ;;
    '--env-file')
        __workbench_add_completions -f
        return
        ;;
    '--store')
        __workbench_add_completions -d
        return
        ;;
    '--color')
        __workbench_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    esac
}

_workbench_queue_status() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=(--store --color)
    __workbench_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--store')
        __workbench_add_completions -d
        return
        ;;
    '--color')
        __workbench_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    esac
}

_workbench_queue_migrate() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=(--store)
    __workbench_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--store')
        __workbench_add_completions -d
        return
        ;;
    esac
}

_workbench_check() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=(--vars --env-file --use)
    non_repeating_options=(--color)
    __workbench_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--vars')
        __workbench_add_completions -o plusdirs -fX '!*.@(json|yaml|yml)'
        return
        ;;
    '--env-file')
        __workbench_add_completions -f
        return
        ;;
    '--use')
        __workbench_add_completions -o plusdirs -fX '!*.@(wb)'
        return
        ;;
    '--color')
        __workbench_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    *)
        __workbench_add_completions -o plusdirs -fX '!*.@(wb)'
        return
        ;;
    esac
}

_workbench_fmt() {
    repeating_flags=()
    non_repeating_flags=(--check --version -h --help)
    repeating_options=()
    non_repeating_options=(--color)
    __workbench_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--color')
        __workbench_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    *)
        __workbench_add_completions -o plusdirs -fX '!*.@(wb)'
        return
        ;;
    esac
}

_workbench_eval() {
    repeating_flags=()
    non_repeating_flags=(--text --raw -r --version -h --help)
    repeating_options=()
    non_repeating_options=(--color)
    __workbench_offer_flags_options 2

    # Offer option value completions
    case "${prev}" in
    '--color')
        __workbench_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    2)
        __workbench_add_completions -f
        return
        ;;
    esac
}

_workbench_select() {
    repeating_flags=()
    non_repeating_flags=(--lines --version -h --help)
    repeating_options=()
    non_repeating_options=()
    __workbench_offer_flags_options 2

    # Offer positional completions
    case "${positional_number}" in
    2)
        __workbench_add_completions -f
        return
        ;;
    esac
}

_workbench_import() {
    repeating_flags=()
    non_repeating_flags=(--strict --exact --version -h --help)
    repeating_options=(--set)
    non_repeating_options=(-o --output --env --color)
    __workbench_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '-o'|'--output')
        return
        ;;
    '--env')
        __workbench_add_completions -o plusdirs -fX '!*.@(json)'
        return
        ;;
    '--set')
        return
        ;;
    '--color')
        __workbench_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    *)
        __workbench_add_completions -f
        return
        ;;
    esac
}

_workbench_export() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=(--color)
    __workbench_offer_flags_options 2

    # Offer option value completions
    case "${prev}" in
    '--color')
        __workbench_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __workbench_add_completions -W 'curl'$'\n''hurl'
        return
        ;;
    2)
        __workbench_add_completions -o plusdirs -fX '!*.@(wb)'
        return
        ;;
    esac
}

_workbench_auth() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __workbench_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    login|logout|status|refresh)
        # Offer subcommand argument completions
        "_workbench_auth_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'login logout status refresh' -- "${cur}"))
        ;;
    esac
}

_workbench_auth_login() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=(--vars --env-file --use)
    non_repeating_options=(--script --color)
    __workbench_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--script')
        __workbench_add_completions -o plusdirs -fX '!*.@(wb)'
        return
        ;;
    '--vars')
        __workbench_add_completions -o plusdirs -fX '!*.@(json|yaml|yml)'
        return
        ;;
    '--env-file')
        __workbench_add_completions -f
        return
        ;;
    '--use')
        __workbench_add_completions -o plusdirs -fX '!*.@(wb)'
        return
        ;;
    '--color')
        __workbench_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __workbench_add_completions -W "$(__workbench_custom_complete ---completion auth login -- positional@0 "${COMP_CWORD}" "$(__workbench_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_workbench_auth_logout() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=(--vars --env-file --use)
    non_repeating_options=(--script --color)
    __workbench_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--script')
        __workbench_add_completions -o plusdirs -fX '!*.@(wb)'
        return
        ;;
    '--vars')
        __workbench_add_completions -o plusdirs -fX '!*.@(json|yaml|yml)'
        return
        ;;
    '--env-file')
        __workbench_add_completions -f
        return
        ;;
    '--use')
        __workbench_add_completions -o plusdirs -fX '!*.@(wb)'
        return
        ;;
    '--color')
        __workbench_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __workbench_add_completions -W "$(__workbench_custom_complete ---completion auth logout -- positional@0 "${COMP_CWORD}" "$(__workbench_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_workbench_auth_status() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=(--vars --env-file --use)
    non_repeating_options=(--script --color)
    __workbench_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--script')
        __workbench_add_completions -o plusdirs -fX '!*.@(wb)'
        return
        ;;
    '--vars')
        __workbench_add_completions -o plusdirs -fX '!*.@(json|yaml|yml)'
        return
        ;;
    '--env-file')
        __workbench_add_completions -f
        return
        ;;
    '--use')
        __workbench_add_completions -o plusdirs -fX '!*.@(wb)'
        return
        ;;
    '--color')
        __workbench_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __workbench_add_completions -W "$(__workbench_custom_complete ---completion auth status -- positional@0 "${COMP_CWORD}" "$(__workbench_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_workbench_auth_refresh() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=(--vars --env-file --use)
    non_repeating_options=(--script --color)
    __workbench_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--script')
        __workbench_add_completions -o plusdirs -fX '!*.@(wb)'
        return
        ;;
    '--vars')
        __workbench_add_completions -o plusdirs -fX '!*.@(json|yaml|yml)'
        return
        ;;
    '--env-file')
        __workbench_add_completions -f
        return
        ;;
    '--use')
        __workbench_add_completions -o plusdirs -fX '!*.@(wb)'
        return
        ;;
    '--color')
        __workbench_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __workbench_add_completions -W "$(__workbench_custom_complete ---completion auth refresh -- positional@0 "${COMP_CWORD}" "$(__workbench_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_workbench_presign() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=(--vars --env-file --use)
    non_repeating_options=(--expires --script --color)
    __workbench_offer_flags_options 3

    # Offer option value completions
    case "${prev}" in
    '--expires')
        return
        ;;
    '--script')
        __workbench_add_completions -o plusdirs -fX '!*.@(wb)'
        return
        ;;
    '--vars')
        __workbench_add_completions -o plusdirs -fX '!*.@(json|yaml|yml)'
        return
        ;;
    '--env-file')
        __workbench_add_completions -f
        return
        ;;
    '--use')
        __workbench_add_completions -o plusdirs -fX '!*.@(wb)'
        return
        ;;
    '--color')
        __workbench_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __workbench_add_completions -W "$(__workbench_custom_complete ---completion presign -- positional@0 "${COMP_CWORD}" "$(__workbench_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_workbench_doctor() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=(--store --color)
    __workbench_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--store')
        __workbench_add_completions -d
        return
        ;;
    '--color')
        __workbench_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    esac
}

_workbench_help() {
    repeating_flags=()
    non_repeating_flags=(--version)
    repeating_options=()
    non_repeating_options=()
    __workbench_offer_flags_options -1
}

complete -o filenames -F _workbench workbench
